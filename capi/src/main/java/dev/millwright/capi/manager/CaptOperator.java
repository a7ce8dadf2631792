package dev.millwright.capi.manager;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.roster.Half;
import dev.millwright.capi.roster.Kinds;
import dev.millwright.capi.roster.Roster;
import dev.millwright.capi.roster.Scope;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.LoopFamilies;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.probe.EndpointServing;
import dev.millwright.runtime.probe.Endpoints;
import dev.millwright.runtime.process.ApiWays;
import dev.millwright.runtime.process.CountedLooks;
import dev.millwright.runtime.process.Operator;
import dev.millwright.runtime.process.OperatorRun.Leadership;
import dev.millwright.runtime.process.OperatorRun.Watching;
import dev.millwright.runtime.process.ProcessSurroundings;
import dev.millwright.runtime.process.ServedVersion;
import dev.millwright.runtime.process.StopSignal;
import dev.millwright.runtime.step.Controller;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// The Cluster API provider as an operator: CAPT's kinds, with Terraform beside the loops.
public final class CaptOperator implements Operator {

    /// Manifests of CAPT give ten seconds; the lease is given back within the rest.
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    private final CaptSettings settings;
    private final ProcessSurroundings surroundings;
    private final Log log;
    private final StopSignal stop;
    private final Metrics metrics;

    public CaptOperator(
            CaptSettings settings, ProcessSurroundings surroundings, Log log, StopSignal stop) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.log = log;
        this.stop = stop;
        this.metrics = LoopFamilies.metrics(surroundings.version(), CaptFamilies.all());
    }

    @Override
    public String program() {
        return "capt";
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
                ElectionSettings.of(
                        new ObjectName(namespace, Half.leaseName(settings.halves())),
                        surroundings.hostname(),
                        surroundings.uniqueId()),
                true);
    }

    /// @throws IOException when nobody serves Cluster API, or Terraform is not there
    @Override
    public @Nullable Work prepare(ApiWays ways, Outside.Bell bell)
            throws IOException, InterruptedException {
        var namespace = settings.scope().namespace();
        var core = CoreVersion.find(new ServedVersion(ways.work(), log, stop), namespace);
        if (core == null) {
            return null;
        }
        var terraform = new TerraformSide(settings, surroundings, bell, metrics, log);
        return new Work(
                new Watching(
                        View.only(List.copyOf(Kinds.all(core))),
                        type -> Kinds.subject(type, core, namespace)),
                EndpointServing.of(endpoints(), surroundings.hostname(), surroundings.clock(), log)
                        .probes(metrics, ways.review()),
                outside ->
                        new Assembled(
                                controllers(core, ways.work(), terraform),
                                outside,
                                new CountedLooks(metrics, log)),
                terraform::end);
    }

    private Endpoints endpoints() {
        var wanted = settings.endpoints();
        return new Endpoints(
                wanted.metrics(),
                wanted.healthProbe(),
                null,
                wanted.isSecure(),
                wanted.certificates());
    }

    private List<Controller> controllers(ClusterApi core, HttpKubeApi api, TerraformSide terraform)
            throws IOException {
        var scope = settings.scope();
        return new Roster(
                        new Scope(scope.namespace(), scope.watchFilter(), core),
                        settings.load().concurrency(),
                        terraform.ports(api),
                        terraform.workspaces())
                .controllers(settings.halves());
    }
}
