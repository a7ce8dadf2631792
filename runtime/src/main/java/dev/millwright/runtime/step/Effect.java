package dev.millwright.runtime.step;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.List;
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

    /// What only one product can do, such as asking a cloud. The product declares its own as a
    /// sealed set, and its process brings what carries them out.
    non-sealed interface External extends Effect {

        /// What it changes in the world, in key-value pairs for a dry run to tell; empty for a
        /// question that changes nothing.
        List<Object> change();
    }

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
