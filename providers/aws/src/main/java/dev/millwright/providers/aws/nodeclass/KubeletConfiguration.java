package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What the class asks of its nodes' kubelets. Maps are by resource or eviction signal; one left
/// out is empty.
public record KubeletConfiguration(
        List<String> clusterDns,
        @Nullable Integer maxPods,
        @Nullable Integer podsPerCore,
        SequencedMap<String, String> systemReserved,
        SequencedMap<String, String> kubeReserved,
        SequencedMap<String, String> evictionHard,
        SequencedMap<String, String> evictionSoft,
        SequencedMap<String, Duration> evictionSoftGracePeriod,
        @Nullable Integer evictionMaxPodGracePeriod,
        @Nullable Integer imageGcHighThresholdPercent,
        @Nullable Integer imageGcLowThresholdPercent,
        @Nullable Boolean isCpuCfsQuotaOn) {

    public static final KubeletConfiguration NONE =
            new KubeletConfiguration(
                    List.of(),
                    null,
                    null,
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    null,
                    null,
                    null,
                    null);

    public KubeletConfiguration {
        clusterDns = List.copyOf(clusterDns);
        systemReserved = copy(systemReserved);
        kubeReserved = copy(kubeReserved);
        evictionHard = copy(evictionHard);
        evictionSoft = copy(evictionSoft);
        evictionSoftGracePeriod = copy(evictionSoftGracePeriod);
    }

    private static <T> SequencedMap<String, T> copy(SequencedMap<String, T> map) {
        return Collections.unmodifiableSequencedMap(new TreeMap<>(map));
    }

    /// The same with what is known of one launch where the class says nothing: how many pods its
    /// types take, and the cluster's own DNS.
    public KubeletConfiguration resolved(int podsOfTypes, @Nullable String clusterDnsIp) {
        return new KubeletConfiguration(
                clusterDns.isEmpty() && clusterDnsIp != null ? List.of(clusterDnsIp) : clusterDns,
                maxPods == null ? podsOfTypes : maxPods,
                podsPerCore,
                systemReserved,
                kubeReserved,
                evictionHard,
                evictionSoft,
                evictionSoftGracePeriod,
                evictionMaxPodGracePeriod,
                imageGcHighThresholdPercent,
                imageGcLowThresholdPercent,
                isCpuCfsQuotaOn);
    }
}
