package dev.millwright.providers.aws.launch;

import dev.millwright.providers.aws.bootstrap.BootstrapInput;
import dev.millwright.providers.aws.bootstrap.BottlerocketVersion;
import dev.millwright.providers.aws.bootstrap.NodeMarks;
import dev.millwright.providers.aws.bootstrap.UserData;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// The words that the machines of a template read when they start.
public final class NodeWords {

    private final ClusterFacts cluster;
    private final Supplier<@Nullable String> serviceCidr;

    /// @param serviceCidr the range of service addresses, asked for only where a family wants it;
    ///   null when it cannot be told
    public NodeWords(ClusterFacts cluster, Supplier<@Nullable String> serviceCidr) {
        this.cluster = cluster;
        this.serviceCidr = serviceCidr;
    }

    UserData of(Ec2NodeClass nodeClass, Wish wish, TemplateGroup group, String capacityType) {
        var spec = nodeClass.spec();
        var claim = wish.claim();
        return UserData.of(
                spec.family(),
                new BootstrapInput(
                        new BootstrapInput.ClusterAccess(
                                cluster.name(),
                                cluster.endpoint(),
                                cluster.certificateAuthority(),
                                spec.family() == AmiFamily.AL2023 ? serviceCidr.get() : null),
                        NodeMarks.labels(claim.labels(), capacityType, spec.family()),
                        NodeMarks.taints(claim.taints(), claim.startupTaints()),
                        spec.kubelet().resolved(group.podsMax(), cluster.dnsAddress()),
                        spec.isRaid0(),
                        spec.userData(),
                        BottlerocketVersion.of(
                                spec.amiSelectorTerms(), nodeClass.status().amis())));
    }
}
