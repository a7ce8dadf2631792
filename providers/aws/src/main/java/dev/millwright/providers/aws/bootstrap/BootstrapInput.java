package dev.millwright.providers.aws.bootstrap;

import dev.millwright.core.label.Taint;
import dev.millwright.providers.aws.nodeclass.KubeletConfiguration;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// All that user data is made of.
///
/// @param labels those the node registers with, see [NodeMarks]
/// @param kubelet with the pods and the DNS of this launch filled in
/// @param amiVersion of a Bottlerocket image, see [BottlerocketVersion]; null when unknown
public record BootstrapInput(
        ClusterAccess cluster,
        SequencedMap<String, String> labels,
        List<Taint> taints,
        KubeletConfiguration kubelet,
        boolean isRaid0,
        @Nullable String customUserData,
        @Nullable String amiVersion) {

    /// How a node finds its cluster and trusts it, by a bundle in base64. The range of service
    /// addresses is null until it is known.
    public record ClusterAccess(
            String name, String endpoint, @Nullable String caBundle, @Nullable String cidr) {}

    public BootstrapInput {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        taints = List.copyOf(taints);
    }

    String customText() {
        return customUserData == null ? "" : customUserData;
    }
}
