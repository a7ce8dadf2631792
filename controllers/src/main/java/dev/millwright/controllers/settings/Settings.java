package dev.millwright.controllers.settings;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.disruption.WholeFleet;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.runtime.log.LogLevel;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/// All that the operator was told at its start. Read once by [SettingsReader], then passed on.
public record Settings(
        Replica replica,
        KubeClient kubeClient,
        Leadership leadership,
        Logging logging,
        Batching batching,
        Policies policies,
        Consolidation consolidation,
        FeatureGates gates,
        Cloud cloud,
        Recording recording,
        boolean isObservingClusterState,
        boolean isDryRun,
        Shadow shadow,
        boolean isLegacyRepair) {

    /// Whether only another controller's decisions are looked at, and how often their sums are
    /// told. A shadow changes nothing, whatever else is said.
    public record Shadow(boolean isOn, Duration reportEvery) {}

    /// This one of the operator's processes: ports, size and place.
    ///
    /// `memoryLimitBytes` is null without a limit; `systemNamespace` is empty when nobody said
    /// where the process runs.
    public record Replica(
            Ports ports,
            Webhook webhook,
            boolean isProfilingEnabled,
            @Nullable Long memoryLimitBytes,
            long cpuMillis,
            String serviceName,
            String systemNamespace) {

        /// Part of the memory limit that the heap may take; the rest is threads and code.
        private static final double HEAP_PART = 0.9;

        public double cores() {
            return cpuMillis / 1_000.0;
        }

        public @Nullable Long heapBytesMax() {
            return memoryLimitBytes == null ? null : (long) (memoryLimitBytes * HEAP_PART);
        }
    }

    /// Zero takes any port that is free, but for `dashboard`: there it means that no page is
    /// served.
    public record Ports(int metrics, int healthProbe, int dashboard, String dashboardAddress) {

        /// Without a page.
        public Ports(int metrics, int healthProbe) {
            this(metrics, healthProbe, 0, "127.0.0.1");
        }
    }

    /// The conversion of v1beta1. An empty `url` means by the Service.
    public record Webhook(boolean isServed, int port, String url) {}

    /// A negative rate means no limit; zero, and a burst that is not positive, mean the defaults
    /// that Go's client has.
    public record KubeClient(int queriesPerSecond, int burst) {

        private static final int QUERIES_PER_SECOND_DEFAULT = 5;
        private static final int BURST_DEFAULT = 10;

        public ApiSettings apiSettings(String version) {
            var limited =
                    ApiSettings.of(
                            version,
                            queriesPerSecond > 0 ? queriesPerSecond : QUERIES_PER_SECOND_DEFAULT,
                            burst > 0 ? burst : BURST_DEFAULT);
            return queriesPerSecond < 0
                    ? new ApiSettings(
                            limited.userAgent(),
                            limited.requestTimeout(),
                            limited.watchSilenceMax(),
                            null)
                    : limited;
        }
    }

    /// Who acts when several replicas run. An empty `leaseNamespace` is the process's own.
    public record Leadership(
            boolean isElected, String leaseName, String leaseNamespace, boolean isWarmedUp) {

        /// Where the Lease is: as told, else the system's namespace, else where the process runs.
        public String leaseNamespace(String systemNamespace, String ownNamespace) {
            if (!leaseNamespace.isEmpty()) {
                return leaseNamespace;
            }
            return systemNamespace.isEmpty() ? ownNamespace : systemNamespace;
        }
    }

    /// `errorOutputs` take failures of the log itself, not lines of level error.
    public record Logging(LogLevel level, List<String> outputs, List<String> errorOutputs) {
        public Logging {
            outputs = List.copyOf(outputs);
            errorOutputs = List.copyOf(errorOutputs);
        }
    }

    public record Batching(Duration maxDuration, Duration idleDuration) {}

    /// The operator's choices that a plan depends on.
    public record Policies(
            Preferences preferences,
            MinValues minValues,
            boolean ignoresResourceClaims,
            Packing packing,
            double nodeFeePerHour,
            List<SpreadConstraint> defaultSpread) {
        public Policies {
            defaultSpread = List.copyOf(defaultSpread);
        }
    }

    /// How nodes of pools that do not say are consolidated. `horizon`: within which a move pays for
    /// itself, where the fleet is looked at as a whole. `isSteering`: whether pods are steered away
    /// from nodes that will go.
    public record Consolidation(boolean isWholeFleet, Duration horizon, boolean isSteering) {

        /// As Karpenter does.
        public static final Consolidation KARPENTER =
                new Consolidation(false, WholeFleet.HORIZON_DEFAULT, false);
    }

    /// Where decisions are recorded, and how much of them is kept. An empty `folder` records none.
    public record Recording(String folder, long bytesMax) {

        public boolean isOn() {
            return !folder.isEmpty();
        }
    }

    /// Where nodes come from. An empty `instanceTypesFile` means the provider's own catalogue.
    public record Cloud(ProviderName provider, String instanceTypesFile, Aws aws) {}

    /// What only the provider for AWS wants to know. Texts may be empty: nobody said so.
    public record Aws(
            String clusterName,
            String clusterEndpoint,
            String clusterCaBundle,
            boolean isVpcIsolated,
            boolean isEksControlPlane,
            BigDecimal memoryOverhead,
            String interruptionQueue,
            int reservedInterfaces,
            boolean isDryRunDisabled,
            boolean isZonalShiftHeeded,
            Duration imageRefresh,
            Duration subnetRefresh,
            boolean isReplacingOnRebalance) {

        public static final Aws DEFAULT =
                new Aws(
                        "",
                        "",
                        "",
                        false,
                        false,
                        new BigDecimal("0.075"),
                        "",
                        0,
                        false,
                        false,
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1),
                        false);
    }

    public enum ProviderName {
        AWS,
        KWOK,
        SIM
    }

    /// The policy of plans for a cluster whose labels mean what `vocabulary` says.
    public SchedulingPolicy schedulingPolicy(
            LabelVocabulary vocabulary, UnsupportedStorage unsupportedStorage) {
        return new SchedulingPolicy(
                policies.preferences(),
                policies.minValues(),
                gates.isOn(FeatureGates.Gate.RESERVED_CAPACITY)
                        ? Reservations.STRICT
                        : Reservations.OFF,
                policies.ignoresResourceClaims(),
                policies.packing(),
                SchedulingPolicy.DEFAULT.effort(),
                policies.defaultSpread(),
                unsupportedStorage,
                vocabulary,
                policies.nodeFeePerHour());
    }
}
