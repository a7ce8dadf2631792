package dev.millwright.addons.manager;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.LoopFamilies;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.probe.EndpointServing;
import dev.millwright.runtime.process.ApiWays;
import dev.millwright.runtime.process.CountedLooks;
import dev.millwright.runtime.process.Operator;
import dev.millwright.runtime.process.OperatorRun.Leadership;
import dev.millwright.runtime.process.OperatorRun.Watching;
import dev.millwright.runtime.process.ProcessSurroundings;
import dev.millwright.runtime.process.ServedVersion;
import dev.millwright.runtime.process.StopSignal;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/// The add-ons as an operator: both proxies' kinds, with Helm beside the loops.
public final class AddonsOperator implements Operator {

    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    /// The upstream provider's: of the two, one acts.
    private static final String LEASE = "controller-leader-election-caaph";

    /// The newest first: a core that serves both keeps objects in it.
    private static final List<String> CORE_VERSIONS = List.of("v1beta2", "v1beta1");

    private static final String NO_CORE = "install Cluster API's core first: clusterctl init";

    private final AddonsSettings settings;
    private final ProcessSurroundings surroundings;
    private final Log log;
    private final StopSignal stop;
    private final Metrics metrics;

    public AddonsOperator(
            AddonsSettings settings, ProcessSurroundings surroundings, Log log, StopSignal stop) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.log = log;
        this.stop = stop;
        this.metrics = LoopFamilies.metrics(surroundings.version(), AddonsFamilies.all());
    }

    @Override
    public String program() {
        return "millwright-addons";
    }

    @Override
    public ApiSettings requests() {
        var load = settings.load();
        return ApiSettings.of(
                surroundings.version(), load.requestsPerSecond(), load.requestsBurst());
    }

    @Override
    public Metrics metrics() {
        return metrics;
    }

    @Override
    public boolean isDryRun() {
        return settings.isDryRun();
    }

    @Override
    public Duration stopMax() {
        return STOP_MAX;
    }

    @Override
    public Leadership leadership(String ownNamespace) {
        var wanted = settings.leadership();
        if (!wanted.isElected()) {
            return new Leadership(null, true);
        }
        var namespace = wanted.namespace().isEmpty() ? ownNamespace : wanted.namespace();
        return new Leadership(
                new ElectionSettings(
                        new ObjectName(namespace, LEASE),
                        "%s_%s".formatted(surroundings.hostname(), surroundings.uniqueId()),
                        Collections.emptySortedMap(),
                        wanted.lease(),
                        wanted.renewDeadline(),
                        wanted.retry()),
                true);
    }

    /// @throws IOException when nobody serves Cluster API, or Helm is not there
    @Override
    public @Nullable Work prepare(ApiWays ways, Outside.Bell bell)
            throws IOException, InterruptedException {
        var types = CORE_VERSIONS.stream().map(each -> WorkloadCluster.kind(each).type()).toList();
        var found =
                new ServedVersion(ways.work(), log, stop)
                        .find(types, settings.scope().namespace(), NO_CORE);
        if (found == null) {
            return null;
        }
        var clusters = WorkloadCluster.kind(found.version());
        var helm = new HelmSide(settings, surroundings, bell, metrics, log);
        var view = View.only(List.of(clusters, AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
        return new Work(
                new Watching(view, this::subject),
                EndpointServing.of(
                                settings.endpoints(),
                                surroundings.hostname(),
                                surroundings.clock(),
                                log)
                        .probes(metrics, ways.review()),
                outside ->
                        new Assembled(
                                helm.controllers(clusters, outside.api()),
                                outside,
                                new CountedLooks(metrics, log)),
                helm::end);
    }

    private Reflector.Subject subject(ResourceType type) {
        var all = Reflector.Subject.all(type);
        var namespace = settings.scope().namespace();
        return namespace.isEmpty() ? all : all.inNamespace(namespace);
    }
}
