package dev.millwright.providers.sim;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.spi.NodeClassKind;

import java.time.Duration;
import java.util.function.Function;

/// The class of nodes that kwok plays: a delay, and whether it is ready.
public final class KwokNodeClass {

    public static final NodeClassKind KIND =
            new NodeClassKind("karpenter.kwok.sh", "v1alpha1", "kwoknodeclasses", "KWOKNodeClass");

    public static final ResourceType TYPE =
            new ResourceType(KIND.group(), KIND.version(), KIND.plural(), KIND.kind(), false);

    private KwokNodeClass() {}

    /// Asks the API server each time.
    public static NodeClassState.Lookup of(KubeApi api) {
        return asking(name -> api.read(TYPE, name));
    }

    /// Asks each time whoever can read a class.
    public static NodeClassState.Lookup asking(Function<ObjectName, ApiAnswer> read) {
        var reader = new ObjectReader(LabelVocabulary.CORE);
        return reference -> {
            var answer = read.apply(new ObjectName("", reference.name()));
            return switch (answer) {
                case ApiAnswer.Done(var object) -> state(reader.nodeClass(object));
                case ApiAnswer.Refused _, ApiAnswer.Unreachable _ ->
                        answer.isNotFound()
                                ? missing(reference)
                                : new NodeClassState.Unknown(
                                        "%s %s could not be read: %s"
                                                .formatted(
                                                        reference.kind(),
                                                        reference.name(),
                                                        answer.explain()));
            };
        };
    }

    /// Looks into the caches.
    public static NodeClassState.Lookup of(View view) {
        return reference -> {
            var object = view.nodeClass(reference);
            return object == null ? missing(reference) : state(object);
        };
    }

    private static NodeClassState missing(NodeClassRef reference) {
        return new NodeClassState.Missing(
                "%s %s is not there; create it or name another in nodeClassRef"
                        .formatted(reference.kind(), reference.name()));
    }

    private static NodeClassState state(NodeClassObject object) {
        var ready = object.ready();
        return ready.status() == Condition.Status.FALSE
                ? new NodeClassState.NotReady(ready.message())
                : new NodeClassState.Ready(delay(object));
    }

    private static Duration delay(NodeClassObject object) {
        var stated = object.spec().fields().get("nodeRegistrationDelay");
        var delay = stated instanceof Value.Text(_, var text) ? GoDuration.parse(text) : null;
        return delay == null || delay.isNegative() ? Duration.ZERO : delay;
    }
}
