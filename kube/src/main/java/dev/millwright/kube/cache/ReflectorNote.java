package dev.millwright.kube.cache;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.KubeApi.WatchEnd;
import dev.millwright.kube.client.ResourceType;

/// What happens to a reflector, for the log and for metrics.
public sealed interface ReflectorNote {

    record Listed(int objects, String resourceVersion) implements ReflectorNote {}

    /// The server forgot the version in the middle of the list, which begins again.
    record ListExpired(String message) implements ReflectorNote {}

    record ListFailed(String message) implements ReflectorNote {}

    record NotServed() implements ReflectorNote {}

    record WatchEnded(WatchEnd end, int events) implements ReflectorNote {}

    /// The sink threw; the object is as it was before there.
    record SinkFailed(ObjectName name, RuntimeException failure) implements ReflectorNote {}

    /// The reflector itself threw, and goes on after a pause.
    record Failed(RuntimeException failure) implements ReflectorNote {}

    record Restarted(String reason) implements ReflectorNote {}

    /// Hears of these, on the reflector's thread.
    @FunctionalInterface
    interface Observer {
        void noted(ResourceType type, ReflectorNote note);
    }
}
