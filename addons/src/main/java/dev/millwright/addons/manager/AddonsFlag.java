package dev.millwright.addons.manager;

import dev.millwright.runtime.flag.CommandFlag;

import java.util.List;

/// The table of flags. Up to `v` they are those of Cluster API's add-on provider for Helm;
/// manifests that give them stay as they are.
public enum AddonsFlag implements CommandFlag {
    LEADER_ELECT(
            "leader-elect",
            Kind.TOGGLE,
            "false",
            "Act only while holding a Lease, so that of several replicas one acts."),
    LEASE_DURATION(
            "leader-elect-lease-duration",
            Kind.DURATION,
            "15s",
            "How long others must see the Lease unchanged before they take it."),
    RENEW_DEADLINE(
            "leader-elect-renew-deadline",
            Kind.DURATION,
            "10s",
            "How long after its last renewal the leader still acts."),
    RETRY_PERIOD(
            "leader-elect-retry-period", Kind.DURATION, "2s", "Between two renewals or tries."),
    NAMESPACE("namespace", Kind.TEXT, "", "Look after this namespace alone; else after all."),
    WATCH_FILTER(
            "watch-filter",
            Kind.TEXT,
            "",
            "Look only after proxies whose label cluster.x-k8s.io/watch-filter has this value; a HelmReleaseProxy without it goes by its HelmChartProxy."),
    CHART_CONCURRENCY(
            "helm-chart-proxy-concurrency",
            Kind.WHOLE,
            "10",
            "HelmChartProxies that are looked at side by side."),
    RELEASE_CONCURRENCY(
            "helm-release-proxy-concurrency",
            Kind.WHOLE,
            "10",
            "HelmReleaseProxies that are looked at side by side, and runs of Helm."),
    SYNC_PERIOD(
            "sync-period",
            Kind.DURATION,
            "10m",
            "How soon a HelmChartProxy is looked at again without a change. Releases are looked at every 35 seconds."),
    KUBE_API_QPS(
            "kube-api-qps",
            Kind.WHOLE,
            "20",
            "Requests a second to the management cluster in the long run."),
    KUBE_API_BURST(
            "kube-api-burst",
            Kind.WHOLE,
            "30",
            "Requests to the management cluster that may go out at once after a pause."),
    HEALTH_ADDRESS("health-addr", Kind.TEXT, ":9440", "Where /healthz and /readyz are served."),
    PROFILER_ADDRESS(
            "profiler-address",
            Kind.TEXT,
            "",
            "Where /debug/pprof is served to whom /metrics is; else nowhere."),
    DIAGNOSTICS_ADDRESS(
            "diagnostics-address",
            Kind.TEXT,
            ":8443",
            "Where /metrics is served; 0 to serve none."),
    INSECURE_DIAGNOSTICS(
            "insecure-diagnostics",
            Kind.TOGGLE,
            "false",
            "Serve /metrics to all, by HTTP; else by HTTPS to those whom the API server lets get it."),
    WEBHOOK_PORT(
            "webhook-port",
            Kind.WHOLE,
            "9443",
            "Accepted; the definitions check and default by themselves, so that no webhook is served."),
    WEBHOOK_CERT_DIR("webhook-cert-dir", Kind.TEXT, "", "Accepted, like --webhook-port."),
    VERBOSITY("v", Kind.WHOLE, "2", "From 4 on what was not done is logged too."),
    DIAGNOSTICS_CERT_PATH(
            "diagnostics-cert-path",
            Kind.TEXT,
            "",
            "Directory with tls.crt and tls.key for /metrics, read again when they change; else a certificate of our own making."),
    LEADER_ELECTION_NAMESPACE(
            "leader-election-namespace",
            Kind.TEXT,
            "",
            "Namespace of the Lease; else the one this process runs in."),
    HELM("helm", Kind.TEXT, "helm", "Helm's command, version 3; a name is looked for on the PATH."),
    HELM_WORK_DIR(
            "helm-work-dir",
            Kind.TEXT,
            "",
            "Where runs have their files while they last; else millwright-helm below the system's folder for temporary files."),
    HELM_MEMORY(
            "helm-memory-mib", Kind.WHOLE, "1024", "Memory that one run of Helm may take, in MiB."),
    ALLOW_CROSS_NAMESPACE_REFERENCES(
            "allow-cross-namespace-references",
            Kind.TOGGLE,
            "false",
            "Follow references to other namespaces without a ReferenceGrant. Whoever may write a HelmReleaseProxy then installs on Clusters of all namespaces."),
    DRY_RUN("dry-run", Kind.TOGGLE, "false", "Decide, log and count, but change nothing.");

    private final Entry entry;

    AddonsFlag(String name, Kind kind, String defaultText, String help) {
        this.entry = new Entry(name, kind, defaultText, help, List.of());
    }

    @Override
    public Entry entry() {
        return entry;
    }
}
