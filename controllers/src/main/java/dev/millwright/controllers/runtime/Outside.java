package dev.millwright.controllers.runtime;

import dev.millwright.controllers.log.LogLevel;
import dev.millwright.controllers.metrics.Meter;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.spi.CloudProvider;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// All that effects reach: the API server, the cloud, and those who are told.
///
/// `mayAct` is asked before every change: a process that is no longer the leader must not write.
public record Outside(
        KubeApi api,
        CloudProvider cloud,
        Consumer<KubeEvent> events,
        Consumer<Deliberation> decisions,
        Meter meter,
        Diary diary,
        Bell bell,
        BooleanSupplier mayAct,
        Mode mode) {

    /// Where nobody records or shows decisions.
    public Outside(
            KubeApi api,
            CloudProvider cloud,
            Consumer<KubeEvent> events,
            Meter meter,
            Diary diary,
            Bell bell,
            BooleanSupplier mayAct,
            Mode mode) {
        this(api, cloud, events, _ -> {}, meter, diary, bell, mayAct, mode);
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
