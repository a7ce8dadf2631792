package dev.millwright.controllers.metrics.pod;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.state.PodTimes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Tells of every pod. A pod that waits is looked at again and again, since its wait grows; one
/// that runs only when it or its node changes.
public final class PodMetrics implements Controller {

    private static final String NAME = "metrics.pod";
    private static final Duration RECHECK = Duration.ofSeconds(30);

    /// The labels of a node that its pods show, in the order of the family's labels.
    private static final List<String> NODE_KEYS =
            List.of(
                    LabelKeys.NODE_POOL,
                    LabelKeys.ZONE,
                    LabelKeys.ARCH,
                    LabelKeys.CAPACITY_TYPE,
                    LabelKeys.INSTANCE_TYPE);

    private final PodTimes times;
    private final Waits waits = new Waits();

    public PodMetrics(PodTimes times) {
        this.times = times;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                Watch.own(Kind.POD),
                new Watch<>(
                        Kind.NODE,
                        (view, change) ->
                                isShownOtherwise(change)
                                        ? view.podsOn(change.name().name()).stream()
                                                .map(KubeObject::name)
                                                .toList()
                                        : List.of()));
    }

    private static boolean isShownOtherwise(Change<NodeObject> change) {
        return !nodeLabels(change.before()).equals(nodeLabels(change.after()));
    }

    private static List<String> nodeLabels(@Nullable NodeObject node) {
        return NODE_KEYS.stream().map(key -> node == null ? "" : node.meta().label(key)).toList();
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var owner = NAME + "/" + key;
        var pod = view.pod(key);
        if (pod == null) {
            waits.forget(key);
            return Step.of(new Effect.Gauges(owner, List.of()));
        }
        var measure = PodMeasure.of(pod, times.find(key), waits.find(key, pod.meta().uid()), now);
        waits.put(key, measure.remaining());
        if (measure.isSettled()) {
            times.forget(key);
        }
        var gauges = new ArrayList<GaugeSample>();
        gauges.add(new GaugeSample(Families.PODS_STATE, 1, labels(view, pod)));
        gauges.addAll(measure.gauges());
        var effects = new ArrayList<Effect>(measure.observations());
        effects.add(new Effect.Gauges(owner, gauges));
        return Step.of(effects).thenAgain(measure.gauges().isEmpty() ? null : RECHECK);
    }

    private static List<String> labels(View view, PodObject pod) {
        var node = pod.nodeName().isEmpty() ? null : view.node(pod.nodeName());
        var ofNode = nodeLabels(node);
        var labels = new ArrayList<String>();
        labels.add(pod.name().name());
        labels.add(pod.name().namespace());
        labels.add(ownerLink(pod));
        labels.add(pod.nodeName());
        labels.add(Boolean.toString(!pod.nodeName().isEmpty()));
        labels.addAll(ofNode);
        labels.add(text(pod.pod().state().phase()));
        labels.add(Boolean.toString(pod.isReady()));
        labels.add(Boolean.toString(!ofNode.getFirst().isEmpty()));
        return labels;
    }

    /// The path of the first owner, as the API once told it by itself.
    private static String ownerLink(PodObject pod) {
        var owners = pod.meta().owners();
        if (owners.isEmpty()) {
            return "";
        }
        var owner = owners.getFirst();
        return "/apis/%s/namespaces/%s/%ss/%s"
                .formatted(
                        owner.apiVersion(),
                        pod.name().namespace(),
                        owner.kind().toLowerCase(Locale.ROOT),
                        owner.name());
    }

    private static String text(Phase phase) {
        return switch (phase) {
            case NONE -> "";
            case PENDING -> "Pending";
            case RUNNING -> "Running";
            case SUCCEEDED -> "Succeeded";
            case FAILED -> "Failed";
            case UNKNOWN -> "Unknown";
        };
    }
}
