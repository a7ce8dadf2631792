package dev.millwright.runtime.step;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.KubeObject;

import java.time.Instant;
import java.util.List;

/// A loop's brain. It holds no client, no clock and no thread; what it remembers between steps is a
/// memory it was given, which a restart empties.
public interface Controller {

    /// The key of a controller that has only one.
    ObjectName SINGLETON = new ObjectName("", "");

    /// Noun, dot, verb, as Karpenter names it in logs and metrics.
    String name();

    /// The objects whose changes concern it, and the keys to look at then.
    List<Watch<?>> watches();

    Pace pace();

    /// Keys to look at when the loop starts, before anything has changed.
    default List<ObjectName> initialKeys() {
        return List.of();
    }

    Step step(View view, ObjectName key, Instant now);

    record Watch<T extends KubeObject>(Kind<T> kind, Keys<T> keys) {

        /// Every change of an object is about its own key.
        public static <T extends KubeObject> Watch<T> own(Kind<T> kind) {
            return new Watch<>(kind, (_, change) -> List.of(change.name()));
        }
    }

    @FunctionalInterface
    interface Keys<T> {
        List<ObjectName> of(View view, Change<T> change);
    }
}
