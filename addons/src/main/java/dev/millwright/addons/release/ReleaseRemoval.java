package dev.millwright.addons.release;

import dev.millwright.addons.graph.DependencyGraph;
import dev.millwright.addons.graph.Gate;
import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.HelmRuns.Result;
import dev.millwright.addons.port.HelmRuns.Run;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.Storage.Look;
import dev.millwright.addons.port.StoredRelease;
import dev.millwright.addons.port.Trouble;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One look at a release whose proxy is being deleted. The proxy goes when the release has, or when
/// there is no cluster left to have it.
final class ReleaseRemoval {

    private static final Duration RETRY = Duration.ofSeconds(30);
    private static final String WISH = "removal";

    private final ReleaseProxy proxy;
    private final @Nullable WorkloadCluster cluster;
    private final ReleasePorts ports;
    private final ReleaseMemory memory;
    private final Instant now;

    ReleaseRemoval(
            ReleaseProxy proxy,
            @Nullable WorkloadCluster cluster,
            ReleasePorts ports,
            ReleaseMemory memory,
            Instant now) {
        this.proxy = proxy;
        this.cluster = cluster;
        this.ports = ports;
        this.memory = memory;
        this.now = now;
    }

    Step step(View view) {
        if (!proxy.meta().hasFinalizer(AddonTypes.RELEASE_PROXY_FINALIZER)) {
            return Step.DONE;
        }
        if (cluster == null || proxy.isInstalledOnce() || proxy.releaseName().isEmpty()) {
            return let();
        }
        if (cluster.meta().isDeleting()) {
            return Step.DONE; // Woken when it is gone.
        }
        if (uninstallGate(view) instanceof Gate.Waits waits) {
            return report().notReady(
                            AddonConditions.DELETION_FAILED,
                            "%s, which depend on it, to be uninstalled first"
                                    .formatted(waits.explain()))
                    .step();
        }
        return Step.of(ReleaseController.progress(ports.runs(), proxy, this::afterRun));
    }

    /// Members of a circle do not wait for each other.
    private Gate uninstallGate(View view) {
        var namespace = proxy.name().namespace();
        var dependsOn = new TreeMap<String, List<String>>();
        for (var each : view.cache(AddonTypes.CHART_PROXY).all()) {
            if (each.name().namespace().equals(namespace)) {
                dependsOn.put(each.name().name(), ChartProxy.of(each).dependsOn());
            }
        }
        var graph = DependencyGraph.of(dependsOn);
        if (graph.of(proxy.chartProxy()) instanceof DependencyGraph.Verdict.Cycle) {
            return new Gate.Open();
        }
        Map<String, Gate.Release> releases = new TreeMap<>();
        for (var each : view.cache(AddonTypes.RELEASE_PROXY).all()) {
            var other = ReleaseProxy.of(each);
            if (other.cluster().equals(proxy.cluster()) && !other.isInstalledOnce()) {
                releases.put(other.chartProxy(), Gate.Release.READY);
            }
        }
        return Gate.uninstall(graph.dependents(proxy.chartProxy()), releases);
    }

    private ReleaseReport report() {
        return new ReleaseReport(proxy, now);
    }

    /// Ends whatever is under way, and lets the object go.
    private Step let() {
        var key = HelmRuns.Key.of(proxy);
        return Step.of(
                new Effect.Ask<>(
                        "the end of runs for " + proxy.name(),
                        Touch.CHANGES,
                        () -> {
                            ports.runs().cancel(key);
                            return key;
                        },
                        _ ->
                                Step.of(
                                        new Effect.Write(
                                                ReleaseWrites.finalizer(proxy.meta(), false)))));
    }

    private Step afterRun(RunProgress progress) {
        return switch (progress) {
            case RunProgress.UnderWay() -> interrupted();
            case RunProgress.Over(Result.Failed(Run.Uninstall _, var trouble)) -> failed(trouble);
            case RunProgress.Idle(), RunProgress.Over(_) -> look();
        };
    }

    /// A run that began before the deletion is ended: nobody wants what it makes. One for the
    /// removal itself goes on.
    private Step interrupted() {
        if (memory.isBegun(proxy.name(), WISH)) {
            return Step.DONE;
        }
        var key = HelmRuns.Key.of(proxy);
        return Step.of(
                new Effect.Ask<>(
                        "the end of a run for " + proxy.name(),
                        Touch.CHANGES,
                        () -> {
                            ports.runs().cancel(key);
                            return key;
                        },
                        _ -> Step.DONE));
    }

    private Step failed(Trouble trouble) {
        var failure = memory.failed(proxy.name(), now);
        return report().trouble(trouble, AddonConditions.DELETION_FAILED)
                .step()
                .followedBy(ReleaseEvents.failed(proxy, AddonConditions.DELETION_FAILED, trouble))
                .thenAgain(Duration.between(now, failure.retryAt()));
    }

    private Step look() {
        return Step.of(
                new Effect.Ask<>(
                        "the releases of Cluster " + proxy.cluster(),
                        Touch.READS,
                        () -> ports.storage().look(proxy.cluster(), proxy.name()),
                        look ->
                                switch (look) {
                                    case Look.Seen seen ->
                                            seen(
                                                    seen.find(
                                                            new ReleaseId(
                                                                    proxy.namespace(),
                                                                    proxy.releaseName())));
                                    case Look.UnderWay() -> Step.DONE;
                                    case Look.NoKubeconfig(var message) ->
                                            report().clusterUnavailable(
                                                            AddonConditions.KUBECONFIG_FAILED,
                                                            message)
                                                    .step()
                                                    .thenAgain(RETRY);
                                    case Look.Failed(var message) ->
                                            report().notReady(AddonConditions.GET_FAILED, message)
                                                    .step()
                                                    .thenAgain(RETRY);
                                }));
    }

    private Step seen(@Nullable StoredRelease stored) {
        if (stored == null
                || stored.isUninstalled()
                || !Decision.isOurs(proxy, stored, ReleaseKeeping.owner(proxy))) {
            return let();
        }
        var wait = memory.waitFor(proxy.name(), WISH, now);
        if (wait != null) {
            return Step.again(wait);
        }
        var key = HelmRuns.Key.of(proxy);
        return report().stored(stored)
                .notReady(AddonConditions.DELETED, "Helm uninstalls it")
                .step()
                .followedBy(ReleaseEvents.begun(new Run.Uninstall(proxy), ""))
                .followedBy(
                        Step.of(
                                new Effect.Ask<>(
                                        "the removal of " + proxy.name(),
                                        Touch.CHANGES,
                                        () -> {
                                            memory.begun(proxy.name(), WISH);
                                            ports.runs().begin(key, new Run.Uninstall(proxy));
                                            return key;
                                        },
                                        _ -> Step.DONE)));
    }
}
