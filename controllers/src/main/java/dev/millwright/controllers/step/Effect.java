package dev.millwright.controllers.step;

import dev.millwright.controllers.log.LogLevel;
import dev.millwright.controllers.metrics.GaugeSample;
import dev.millwright.controllers.metrics.MetricFamily;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.NoticesAnswer;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.spi.RegistrationHook;
import dev.millwright.spi.TerminateAnswer;

import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// Something to be done in the world, as a value. Where the world answers, a function of the answer
/// says how to go on; it is as pure as the step it belongs to.
public sealed interface Effect {

    /// Changes the API server. What it answers is in the caches before `then` is asked.
    record Write(ApiWrite write, Function<ApiAnswer, Step> then) implements Effect {

        /// With the usual reading of the answer, see [Answers#usual].
        public Write(ApiWrite write) {
            this(write, Answers::usual);
        }
    }

    record Launch(MachineClaim claim, Function<LaunchAnswer, Step> then) implements Effect {}

    record Terminate(MachineClaim claim, Function<TerminateAnswer, Step> then) implements Effect {}

    /// Restarts the claim's machine; `operation` tells one reboot from the next.
    record Reboot(MachineClaim claim, String operation, Function<RebootAnswer, Step> then)
            implements Effect {}

    record Find(String providerId, Function<FindAnswer, Step> then) implements Effect {}

    record ListMachines(Function<ListAnswer, Step> then) implements Effect {}

    record AskDrift(MachineClaim claim, Function<DriftAnswer, Step> then) implements Effect {}

    record AskNotices(Function<NoticesAnswer, Step> then) implements Effect {}

    /// Asks every hook of the provider, all at once. The answers are by the hooks' names.
    record AskHooks(
            MachineClaim claim, Function<SequencedMap<String, RegistrationHook.Answer>, Step> then)
            implements Effect {}

    /// Asks what only the provider's own loops ask: a question that may block. The supplier answers
    /// with a value whatever happens; an exception is a bug.
    record Ask<A>(String what, Touch touch, Supplier<A> question, Function<A, Step> then)
            implements Effect {

        /// Whether the world is another one after the question.
        public enum Touch {
            READS,
            CHANGES
        }

        public Step answered() {
            return then.apply(question.get());
        }
    }

    /// Tells of a decision, to whoever records or shows it. Nothing is changed by it.
    record Decided(Deliberation deliberation) implements Effect {}

    record Publish(KubeEvent event) implements Effect {}

    record Count(MetricFamily family, double amount, List<String> labels) implements Effect {
        public Count(MetricFamily family, String... labels) {
            this(family, 1, List.of(labels));
        }
    }

    record Observe(MetricFamily family, double value, List<String> labels) implements Effect {}

    /// All gauges that `owner` has: those it had before and are not here go away.
    record Gauges(String owner, List<GaugeSample> samples) implements Effect {}

    record Say(LogLevel level, String message, List<Object> keyValues) implements Effect {
        public Say(LogLevel level, String message, Object... keyValues) {
            this(level, message, List.of(keyValues));
        }
    }

    /// Changes what this process remembers, once all before it went well. A process that dies
    /// forgets it: nothing may depend on it for long.
    record Remember(String what, Runnable note) implements Effect {}

    /// Has another controller look at a key.
    record Enqueue(String controller, ObjectName key) implements Effect {}

    /// Steps that do not depend on each other, carried out at once, at most `atOnce` of them. All
    /// are tried; the gravest ending of any is the ending of all.
    record Together(List<Step> steps, int atOnce) implements Effect {
        public Together {
            steps = List.copyOf(steps);
        }
    }
}
