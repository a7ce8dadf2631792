package dev.millwright.runtime.loop;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// All that effects reach: the API server, those who are told, and what only one product has.
///
/// `mayAct` is asked before every change: a process that is no longer the leader must not write.
public record Outside(
        KubeApi api,
        Externals externals,
        Consumer<KubeEvent> events,
        Meter meter,
        Diary diary,
        Bell bell,
        BooleanSupplier mayAct,
        Mode mode) {

    /// Where no step has effects of its product's own.
    public Outside(
            KubeApi api,
            Consumer<KubeEvent> events,
            Meter meter,
            Diary diary,
            Bell bell,
            BooleanSupplier mayAct,
            Mode mode) {
        this(api, Externals.NONE, events, meter, diary, bell, mayAct, mode);
    }

    public Outside withExternals(Externals other) {
        return new Outside(api, other, events, meter, diary, bell, mayAct, mode);
    }

    public Outside withDiary(Diary other) {
        return new Outside(api, externals, events, meter, other, bell, mayAct, mode);
    }

    Outside withBell(Bell other) {
        return new Outside(api, externals, events, meter, diary, other, mayAct, mode);
    }

    /// Carries out the effects that only one product has, and answers with what they lead to.
    @FunctionalInterface
    public interface Externals {
        Step carryOut(Effect.External effect);

        /// A step that has such an effect all the same is a bug, which the loop tells.
        Externals NONE =
                effect -> {
                    throw new IllegalStateException(
                            "nothing in this process carries out %s".formatted(effect));
                };
    }

    /// Whether changes are made, or only told.
    public enum Mode {
        ACT,
        DRY_RUN
    }

    /// Where lines of the log go.
    @FunctionalInterface
    public interface Diary {
        void say(LogLevel level, String message, List<Object> keyValues);
    }

    /// Calls another controller to a key.
    @FunctionalInterface
    public interface Bell {
        void ring(String controller, ObjectName key);
    }
}
