package dev.millwright.addons.release;

import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.grant.ReferencePolicy.Refusal;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/// Keeps one release on one cluster as its HelmReleaseProxy says, and takes it away with the proxy.
public final class ReleaseController implements Controller {

    public static final String NAME = "helmreleaseproxy.reconcile";

    /// Whether a namespace has granted what was refused.
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private static final Refusal ALLOWED = new Refusal("", true);

    private final Kind<RawObject> clusters;
    private final ReleasePorts ports;
    private final ReleaseSettings settings;
    private final ReleaseMemory memory = new ReleaseMemory();

    public ReleaseController(
            Kind<RawObject> clusters, ReleasePorts ports, ReleaseSettings settings) {
        this.clusters = clusters;
        this.ports = ports;
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(AddonTypes.RELEASE_PROXY, ReleaseController::concerned),
                new Watch<>(clusters, ReleaseController::ofCluster));
    }

    /// Itself, and once it is gone those of its cluster that wait to leave after it.
    private static List<ObjectName> concerned(View view, Change<RawObject> change) {
        var keys = new ArrayList<>(List.of(change.name()));
        if (change.after() == null && change.before() != null) {
            var cluster = ReleaseProxy.of(change.before()).cluster();
            for (var other : view.cache(AddonTypes.RELEASE_PROXY).all()) {
                if (other.meta().isDeleting() && ReleaseProxy.of(other).cluster().equals(cluster)) {
                    keys.add(other.name());
                }
            }
        }
        return keys;
    }

    private static List<ObjectName> ofCluster(View view, Change<RawObject> change) {
        return view.cache(AddonTypes.RELEASE_PROXY).all().stream()
                .filter(each -> ReleaseProxy.of(each).cluster().equals(change.name()))
                .map(RawObject::name)
                .toList();
    }

    @Override
    public Pace pace() {
        return Pace.of(settings.atOnce());
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var object = view.cache(AddonTypes.RELEASE_PROXY).find(key);
        if (object == null) {
            return Step.of(new Effect.Remember("the proxy is gone", () -> memory.forget(key)));
        }
        var proxy = ReleaseProxy.of(object);
        var from = ReleaseReferences.from(proxy);
        var referred = ReleaseReferences.of(proxy);
        if (referred.stream().noneMatch(from::isForeign)) {
            return allowed(view, proxy, now);
        }
        return Step.of(
                new Effect.Ask<>(
                        "references of %s to other namespaces".formatted(key),
                        Effect.Ask.Touch.READS,
                        () ->
                                Objects.requireNonNullElse(
                                        ports.references().judge(from, referred), ALLOWED),
                        judged ->
                                judged.equals(ALLOWED)
                                        ? allowed(view, proxy, now)
                                        : refused(proxy, judged, now)));
    }

    /// Nothing is asked of a Cluster that the proxy may not name, not even to take something away:
    /// its release is left there. While it is unknown whether it may, the proxy stays.
    private static Step refused(ReleaseProxy proxy, Refusal refusal, Instant now) {
        if (!proxy.meta().isDeleting()) {
            return new ReleaseReport(proxy, now)
                    .clusterUnavailable(AddonConditions.CLUSTER_FAILED, refusal.message())
                    .step()
                    .thenAgain(LOOK_AGAIN);
        }
        if (!refusal.isSettled()) {
            return Step.failed(refusal.message());
        }
        return proxy.meta().hasFinalizer(AddonTypes.RELEASE_PROXY_FINALIZER)
                ? Step.of(
                        List.of(
                                new Effect.Say(
                                        LogLevel.WARN,
                                        "a release is left on a cluster that its proxy may not name",
                                        "HelmReleaseProxy",
                                        proxy.name().toString(),
                                        "reason",
                                        refusal.message()),
                                new Effect.Write(ReleaseWrites.finalizer(proxy.meta(), false))))
                : Step.DONE;
    }

    private Step allowed(View view, ReleaseProxy proxy, Instant now) {
        var found = view.cache(clusters).find(proxy.cluster());
        var cluster = found == null ? null : new WorkloadCluster(found);
        if (WorkloadCluster.holds(proxy.meta(), cluster)) {
            return Step.DONE;
        }
        if (proxy.meta().isDeleting()) {
            return new ReleaseRemoval(proxy, cluster, ports, memory, now).step(view);
        }
        if (cluster == null) {
            return new ReleaseReport(proxy, now)
                    .clusterUnavailable(
                            AddonConditions.CLUSTER_FAILED,
                            "Cluster %s is not there".formatted(proxy.cluster()))
                    .step();
        }
        if (cluster.meta().isDeleting()) {
            return Step.DONE;
        }
        if (!proxy.meta().hasFinalizer(AddonTypes.RELEASE_PROXY_FINALIZER)) {
            return Step.of(new Effect.Write(ReleaseWrites.finalizer(proxy.meta(), true)));
        }
        if (!cluster.isInitialized()) {
            return new ReleaseReport(proxy, now)
                    .clusterUnavailable(
                            AddonConditions.NOT_AVAILABLE,
                            "the control plane of Cluster %s is not initialized"
                                    .formatted(proxy.cluster()))
                    .step();
        }
        if (proxy.releaseName().isEmpty()) {
            return Step.of(new Effect.Write(ReleaseWrites.generatedName(proxy, now)));
        }
        return new ReleaseKeeping(proxy, ports, memory, settings, now).step();
    }

    /// What a step knows of a proxy's runs.
    static Effect.Ask<RunProgress> progress(
            HelmRuns runs, ReleaseProxy proxy, Function<RunProgress, Step> then) {
        var key = HelmRuns.Key.of(proxy);
        return new Effect.Ask<>(
                "the run of Helm for " + proxy.name(),
                Effect.Ask.Touch.READS,
                () ->
                        runs.isUnderWay(key)
                                ? new RunProgress.UnderWay()
                                : RunProgress.of(runs.take(key)),
                then);
    }
}
