package dev.millwright.addons.helm;

import dev.millwright.addons.helm.Workloads.Found;
import dev.millwright.addons.object.ChartSource;
import dev.millwright.addons.port.Charts.Newest;
import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.ReleaseReading;
import dev.millwright.addons.port.Storage.Look;
import dev.millwright.addons.port.Trouble;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.KubeApi;

import java.time.InstantSource;

/// Reads as [Helm] does, without its runs. To be called from threads of the system's own, since
/// waiting for a process keeps a carrier.
public final class HelmReading implements ReleaseReading {

    private final Workloads workloads;
    private final ChartStore charts;

    public HelmReading(HelmSettings settings, KubeApi management, InstantSource clock) {
        var secrets = new ManagementSecrets(management);
        this.workloads = new Workloads(secrets, settings.directory(), clock);
        this.charts = new ChartStore(settings, secrets, clock);
    }

    @Override
    public Look releases(ObjectName cluster) {
        return workloads.releases(cluster);
    }

    @Override
    public Answer contents(ObjectName cluster, ReleaseId id, long revision) {
        return switch (workloads.contents(cluster, id, revision)) {
            case Found.Value<Contents>(var contents) -> new Answer.Found(contents);
            case Found.Nothing<Contents>(var isKubeconfig, var message) ->
                    new Answer.Failed(
                            new Trouble(
                                    isKubeconfig ? Trouble.Cause.KUBECONFIG : Trouble.Cause.HELM,
                                    message));
        };
    }

    @Override
    public Newest newest(ChartSource source) {
        try {
            return charts.newest(source);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Newest.Failed(new Trouble(Trouble.Cause.HELM, "was interrupted"));
        }
    }
}
