package dev.millwright.controllers.settings;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// The table of flags: what the command line offers, what the reference shows and what the reader
/// reads. A flag outweighs its environment variable, which outweighs the default.
public enum Flag {
    KARPENTER_SERVICE(
            "karpenter-service",
            Kind.TEXT,
            "",
            "Name of the Service in front of this process; the conversion webhook is reached by it."),
    METRICS_PORT(
            "metrics-port", Kind.WHOLE, "8080", "Port of /metrics; 0 takes any port that is free."),
    HEALTH_PROBE_PORT(
            "health-probe-port",
            Kind.WHOLE,
            "8081",
            "Port of /healthz and /readyz; 0 takes any port that is free."),
    DISABLE_WEBHOOK(
            "disable-webhook",
            Kind.TOGGLE,
            "true",
            "Convert nothing; false serves v1beta1 beside v1 and keeps the definitions such that API servers ask."),
    WEBHOOK_PORT("webhook-port", Kind.WHOLE, "8443", "Port of the conversion webhook."),
    WEBHOOK_URL(
            "webhook-url",
            Kind.TEXT,
            "",
            "Where API servers reach the webhook of a process outside the cluster, e.g. https://10.0.0.7:8443."),
    KUBE_CLIENT_QPS(
            "kube-client-qps",
            Kind.WHOLE,
            "200",
            "Requests a second to the API server in the long run; negative for no limit."),
    KUBE_CLIENT_BURST(
            "kube-client-burst",
            Kind.WHOLE,
            "300",
            "Requests to the API server that may go out at once after a pause."),
    ENABLE_PROFILING(
            "enable-profiling",
            Kind.TOGGLE,
            "false",
            "Serve thread dumps, heap histograms and recordings below /debug/pprof on the metrics port."),
    DISABLE_CONTROLLER_WARMUP(
            "disable-controller-warmup",
            Kind.TOGGLE,
            "true",
            "Fill the caches only once the lease is won; false fills them before, for a faster take-over."),
    DISABLE_LEADER_ELECTION(
            "disable-leader-election",
            Kind.TOGGLE,
            "false",
            "Act without a lease. Only safe with a single replica."),
    DISABLE_CLUSTER_STATE_OBSERVABILITY(
            "disable-cluster-state-observability",
            Kind.TOGGLE,
            "false",
            "Leave out the metrics of pods, nodes and pools, and the metrics and events of conditions."),
    LEGACY_NODE_REPAIR(
            "legacy-node-repair",
            Kind.TOGGLE,
            "false",
            "With the feature gate NodeRepair, delete sick nodes at once as Karpenter did up to 1.14: without budgets, replacements, reboots or karpenter.sh/do-not-repair."),
    LEADER_ELECTION_NAME(
            "leader-election-name",
            Kind.TEXT,
            "karpenter-leader-election",
            "Name of the Lease whose holder acts."),
    LEADER_ELECTION_NAMESPACE(
            "leader-election-namespace",
            Kind.TEXT,
            "",
            "Namespace of that Lease; empty for the namespace this process runs in."),
    MEMORY_LIMIT(
            "memory-limit",
            Kind.WHOLE,
            "-1",
            "Memory of the container in bytes; a heap that may outgrow nine tenths of it is reined in as far as the collector can, and warned of. Zero or less: no limit."),
    CPU_REQUESTS(
            "cpu-requests",
            Kind.WHOLE,
            "1000",
            "Processor time of the container in thousandths of a core; more lets more objects be looked at side by side. Zero or less means 1000."),
    LOG_LEVEL(
            "log-level",
            Kind.CHOICE,
            "info",
            "Least level that is logged; empty means info.",
            "debug",
            "info",
            "error",
            ""),
    LOG_OUTPUT_PATHS(
            "log-output-paths",
            Kind.TEXT,
            "stdout",
            "Where the log goes: stdout, stderr or files, separated by commas."),
    LOG_ERROR_OUTPUT_PATHS(
            "log-error-output-paths",
            Kind.TEXT,
            "stderr",
            "Where failures of the log itself go: stdout, stderr or files, separated by commas."),
    BATCH_MAX_DURATION(
            "batch-max-duration",
            Kind.DURATION,
            "10s",
            "Longest time pods are collected before a plan is made for them."),
    BATCH_IDLE_DURATION(
            "batch-idle-duration",
            Kind.DURATION,
            "1s",
            "Time without a new pod after which a plan is made earlier."),
    PREFERENCE_POLICY(
            "preference-policy",
            Kind.CHOICE,
            "Respect",
            "Whether wishes of pods (preferred affinities, soft spread) are tried before they are given up.",
            "Respect",
            "Ignore"),
    MIN_VALUES_POLICY(
            "min-values-policy",
            Kind.CHOICE,
            "Strict",
            "Whether a pool's minValues may be lowered when too few values are left.",
            "Strict",
            "BestEffort"),
    IGNORE_DRA_REQUESTS(
            "ignore-dra-requests",
            Kind.TOGGLE,
            "true",
            "Do not plan for pods that claim devices by dynamic resource allocation."),
    FEATURE_GATES(
            "feature-gates",
            Kind.TEXT,
            FeatureGates.DEFAULT.toString(),
            "Features to switch on or off; those not named keep their default."),
    SCHEDULER_CONFIG(
            "scheduler-config",
            Kind.TEXT,
            "",
            "YAML or JSON that says which default spread kube-scheduler applies: podTopologySpread.defaultConstraints."),
    INSTANCE_TYPES_FILE_PATH(
            "instance-types-file-path",
            Kind.TEXT,
            "",
            "File of instance types for the kwok provider; empty for its own."),
    PROVIDER("provider", Kind.CHOICE, "kwok", "Where nodes come from.", "aws", "kwok", "sim"),
    CLUSTER_NAME(
            "cluster-name",
            Kind.TEXT,
            "",
            "Name of the cluster, by which its machines are known again. The aws provider needs it."),
    CLUSTER_ENDPOINT(
            "cluster-endpoint",
            Kind.TEXT,
            "",
            "URL by which new nodes reach the API server; empty to ask EKS."),
    CLUSTER_CA_BUNDLE(
            "cluster-ca-bundle",
            Kind.TEXT,
            "",
            "Certificates, in base 64, by which new nodes trust the API server; empty for those this process trusts."),
    ISOLATED_VPC(
            "isolated-vpc",
            Kind.TOGGLE,
            "false",
            "The VPC has no way to services without an endpoint in it: do not ask for prices or IAM."),
    EKS_CONTROL_PLANE(
            "eks-control-plane",
            Kind.TOGGLE,
            "false",
            "Ask EKS, not the API server, for the version of Kubernetes."),
    VM_MEMORY_OVERHEAD_PERCENT(
            "vm-memory-overhead-percent",
            Kind.DECIMAL,
            "0.075",
            "Share of an instance's memory that its hypervisor keeps, until a node has told."),
    INTERRUPTION_QUEUE(
            "interruption-queue",
            Kind.TEXT,
            "",
            "Name of the SQS queue that tells of interruptions; empty to read none."),
    RESERVED_ENIS(
            "reserved-enis",
            Kind.WHOLE,
            "0",
            "Network interfaces of an instance that pods do not get."),
    DISABLE_DRY_RUN(
            "disable-dry-run",
            Kind.TOGGLE,
            "false",
            "Do not try a class's permissions by dry runs before it counts as valid."),
    ENABLE_ZONAL_SHIFT(
            "enable-zonal-shift",
            Kind.TOGGLE,
            "false",
            "Launch nothing in a zone that the cluster is shifted away from."),
    AMI_REFRESH_INTERVAL(
            "ami-refresh-interval",
            Kind.DURATION,
            "1m",
            "How long a class's images are kept before EC2 is asked again."),
    SUBNET_REFRESH_INTERVAL(
            "subnet-refresh-interval",
            Kind.DURATION,
            "1m",
            "How long a class's subnets are kept before EC2 is asked again."),
    REBALANCE_POLICY(
            "rebalance-policy",
            Kind.CHOICE,
            "event",
            "What to do when EC2 recommends to leave a spot instance: tell it, or launch a replacement and move within the pool's budgets.",
            "event",
            "replace"),
    PACKING(
            "packing",
            Kind.CHOICE,
            "cheapest",
            "Pack into the cheapest fleet found, or as Karpenter does.",
            "cheapest",
            "first-fit"),
    NODE_FEE_PER_HOUR(
            "node-fee-per-hour",
            Kind.DECIMAL,
            "0",
            "What a node costs an hour beside its machine, such as a licence or an agent that is billed by the node; counts where fleets are compared. The annotation millwright.dev/node-fee-per-hour of a NodePool says otherwise for its nodes."),
    CONSOLIDATION(
            "consolidation",
            Kind.CHOICE,
            "karpenter",
            "Consolidate nodes as Karpenter does, or look at the whole fleet for the cheapest. The annotation millwright.dev/consolidation of a NodePool says otherwise for its nodes.",
            "karpenter",
            "cheapest"),
    CONSOLIDATION_HORIZON(
            "consolidation-horizon",
            Kind.DURATION,
            "2h",
            "With cheapest consolidation, the time within which what a move saves must outweigh what it costs."),
    STEER_PODS(
            "steer-pods",
            Kind.TOGGLE,
            "false",
            "Let the emptiest nodes run empty by themselves: new pods prefer other nodes, and a ReplicaSet that shrinks gives up its pods there first. Fewer pods are evicted then."),
    DASHBOARD_PORT(
            "dashboard-port",
            Kind.WHOLE,
            "0",
            "Port of the page that shows the fleet, its price and every decision, to whoever can reach it and without a way to change anything; 0 serves none."),
    DASHBOARD_ADDRESS(
            "dashboard-address",
            Kind.TEXT,
            "127.0.0.1",
            "Address that the page listens on. By default only who may forward the pod's port reaches it; 0.0.0.0 is for every pod of the cluster."),
    RECORD_DIR(
            "record-dir",
            Kind.TEXT,
            "",
            "Directory into which all decisions are recorded with what they were made from, for millwright replay; empty to record none."),
    RECORD_MAX_BYTES(
            "record-max-bytes",
            Kind.WHOLE,
            "1073741824",
            "Bytes that records may take up; the oldest go first."),
    DRY_RUN("dry-run", Kind.TOGGLE, "false", "Decide, log and count, but change nothing."),
    SHADOW(
            "shadow",
            Kind.TOGGLE,
            "false",
            "Watch a cluster that another controller looks after, tell what would have been decided otherwise, and change nothing."),
    REPORT_EVERY(
            "report-every",
            Kind.DURATION,
            "10m",
            "How often a shadow tells its sums; 0s only when it stops, as it always does.");

    /// What a flag's text stands for.
    public enum Kind {
        TEXT("TEXT"),
        WHOLE("N"),
        TOGGLE("true|false"),
        DECIMAL("X"),
        DURATION("D"),
        CHOICE("WORD");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /// Flags that Karpenter does not know; their variables carry our name.
    private static final List<String> OURS =
            List.of(
                    "provider",
                    "rebalance-policy",
                    "packing",
                    "node-fee-per-hour",
                    "consolidation",
                    "consolidation-horizon",
                    "steer-pods",
                    "dashboard-port",
                    "dashboard-address",
                    "record-dir",
                    "record-max-bytes",
                    "dry-run",
                    "shadow",
                    "report-every");

    private final String flagName;
    private final Kind kind;
    private final String defaultText;
    private final String help;
    private final List<String> choices;

    Flag(String flagName, Kind kind, String defaultText, String help, String... choices) {
        this.flagName = flagName;
        this.kind = kind;
        this.defaultText = defaultText;
        this.help = help;
        this.choices = List.of(choices);
    }

    /// The flag called so (without dashes), or null.
    public static @Nullable Flag named(String name) {
        for (var flag : values()) {
            if (flag.flagName.equals(name)) {
                return flag;
            }
        }
        return null;
    }

    /// Without dashes.
    public String flagName() {
        return flagName;
    }

    public String variable() {
        var upper = flagName.replace('-', '_').toUpperCase(Locale.ROOT);
        return isOurs() ? "MILLWRIGHT_" + upper : upper;
    }

    public boolean isOurs() {
        return OURS.contains(flagName);
    }

    public Kind kind() {
        return kind;
    }

    public String defaultText() {
        return defaultText;
    }

    public String help() {
        return help;
    }

    /// The words of a choice, in the order to show them; an empty one is a word too.
    public List<String> choices() {
        return choices;
    }

    /// What help shows in the place of a value.
    public String valueLabel() {
        return kind == Kind.CHOICE
                ? String.join("|", choices.stream().filter(word -> !word.isEmpty()).toList())
                : kind.label;
    }
}
