package dev.millwright.capi.manager;

import dev.millwright.capi.roster.Half;
import dev.millwright.runtime.flag.CommandFlag;

import java.util.List;

/// The table of flags: what the command line offers, what the reference shows and what the reader
/// reads. Up to `zap-time-encoding` they are CAPT's; manifests that give them stay as they are.
public enum CaptFlag implements CommandFlag {
    ENABLE_CONTROLLER(
            "enable-controller",
            Kind.CHOICE,
            "",
            "A half of the provider to run, once for each; none for both.",
            Half.words()),
    LEADER_ELECT(
            "leader-elect",
            Kind.TOGGLE,
            "false",
            "Act only while holding a Lease, so that of several replicas one acts."),
    METRICS_BIND_ADDRESS(
            "metrics-bind-address",
            Kind.TEXT,
            ":8443",
            "Where /metrics is served; 0 to serve none."),
    HEALTH_PROBE_BIND_ADDRESS(
            "health-probe-bind-address",
            Kind.TEXT,
            ":8081",
            "Where /healthz and /readyz are served."),
    ZAP_LOG_LEVEL(
            "zap-log-level",
            Kind.TEXT,
            "info",
            "Least level that is logged: debug, info, error, panic, or a number above 0 for"
                    + " debug."),
    ZAP_DEVEL(
            "zap-devel",
            Kind.TOGGLE,
            "false",
            "Log at debug unless --zap-log-level says otherwise."),
    ZAP_ENCODER(
            "zap-encoder",
            Kind.CHOICE,
            "json",
            "Accepted; the log is JSON either way.",
            List.of("json", "console")),
    ZAP_STACKTRACE_LEVEL(
            "zap-stacktrace-level",
            Kind.CHOICE,
            "error",
            "Accepted; a trace is logged for bugs alone.",
            List.of("info", "error", "panic")),
    ZAP_TIME_ENCODING(
            "zap-time-encoding",
            Kind.CHOICE,
            "rfc3339nano",
            "Accepted; times are ISO 8601 with milliseconds.",
            List.of("epoch", "millis", "nano", "iso8601", "rfc3339", "rfc3339nano")),
    METRICS_SECURE(
            "metrics-secure",
            Kind.TOGGLE,
            "true",
            "Serve /metrics by HTTPS to those whom the API server lets get it; false: to all, by"
                    + " HTTP."),
    METRICS_CERT_PATH(
            "metrics-cert-path",
            Kind.TEXT,
            "",
            "Directory with tls.crt and tls.key for /metrics, read again when they change; else a"
                    + " certificate of our own making."),
    LEADER_ELECTION_NAMESPACE(
            "leader-election-namespace",
            Kind.TEXT,
            "",
            "Namespace of the Lease; else the one this process runs in."),
    NAMESPACE("namespace", Kind.TEXT, "", "Look after this namespace alone; else after all."),
    WATCH_FILTER(
            "watch-filter",
            Kind.TEXT,
            "",
            "Look only after objects whose label cluster.x-k8s.io/watch-filter has this value, and"
                    + " what belongs to them."),
    CONCURRENCY(
            "concurrency", Kind.WHOLE, "10", "Objects of a kind that are looked at side by side."),
    KUBE_API_QPS(
            "kube-api-qps",
            Kind.WHOLE,
            "20",
            "Requests a second to the API server in the long run."),
    KUBE_API_BURST(
            "kube-api-burst",
            Kind.WHOLE,
            "30",
            "Requests to the API server that may go out at once after a pause."),
    WORKSPACES(
            "workspaces",
            Kind.CHOICE,
            "auto",
            "Whether Terraform is run for Workspaces: auto leaves them to Crossplane's"
                    + " provider-terraform while that runs here.",
            List.of("auto", "own", "leave")),
    TERRAFORM_WORK_DIR(
            "terraform-work-dir",
            Kind.TEXT,
            "",
            "Where Workspaces have their folders; else capt-terraform below the system's folder for"
                    + " temporary files. With --terraform-runner, notes on unfinished states alone."),
    TERRAFORM_RUNNER(
            "terraform-runner",
            Kind.TEXT,
            "",
            "Socket of a runner, `millwright run terraform`, that has Terraform and all its"
                    + " folders; else Terraform runs in this process."),
    TERRAFORM_TIMEOUT(
            "terraform-timeout",
            Kind.DURATION,
            "20m",
            "How long one run of Terraform may take; then it is told to stop and to save its"
                    + " state."),
    TERRAFORM_POLL_INTERVAL(
            "terraform-poll-interval",
            Kind.DURATION,
            "10m",
            "How often each Workspace is compared with what there is."),
    TERRAFORM_RUNS_MAX(
            "terraform-runs-max", Kind.WHOLE, "4", "Processes of Terraform that run side by side."),
    ALLOW_CROSS_NAMESPACE_REFERENCES(
            "allow-cross-namespace-references",
            Kind.TOGGLE,
            "false",
            "Follow references to other namespaces without a ReferenceGrant. Whoever may write one"
                    + " object of ours then reads and writes Secrets of all namespaces."),
    LEND_MANAGER_CREDENTIALS(
            "lend-manager-credentials",
            Kind.TOGGLE,
            "false",
            "Lend the manager's AWS_* variables to every run of Terraform, and its variables and"
                    + " files to ProviderConfigs with the sources Environment and Filesystem."),
    DRY_RUN("dry-run", Kind.TOGGLE, "false", "Decide, log and count, but change nothing.");

    private final Entry entry;

    CaptFlag(String name, Kind kind, String defaultText, String help) {
        this(name, kind, defaultText, help, List.of());
    }

    CaptFlag(String name, Kind kind, String defaultText, String help, List<String> choices) {
        this.entry = new Entry(name, kind, defaultText, help, choices);
    }

    @Override
    public Entry entry() {
        return entry;
    }
}
