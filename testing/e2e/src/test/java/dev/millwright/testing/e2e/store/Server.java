package dev.millwright.testing.e2e.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;

import java.util.function.Predicate;
import java.util.function.Supplier;

/// An API server with our custom resources and a garbage collector; nothing else acts in it.
interface Server {

    KubeApi api();

    /// A namespace of its own for a test, in which pods can be made.
    String createNamespace();

    /// The binding subresource, which the port has no word for.
    ApiAnswer bind(ObjectName pod, String uid, String nodeName);

    /// Watches of this type from an older version can no longer be told what they missed.
    void forgetHistory(ResourceType type);

    /// The first value that is right, when the collector has had its time.
    <T> T eventually(String what, Supplier<T> look, Predicate<? super T> isRight);
}
