package dev.millwright.providers.aws.launch;

import dev.millwright.providers.aws.bootstrap.BootstrapInput;
import dev.millwright.providers.aws.bootstrap.BottlerocketVersion;
import dev.millwright.providers.aws.bootstrap.NodeMarks;
import dev.millwright.providers.aws.bootstrap.UserData;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;

import java.util.function.Supplier;

/// The words that the machines of a template read when they start.
public final class NodeWords {

    /// The cluster as it is known now: its service addresses may become known later.
    private final Supplier<ClusterFacts> cluster;

    public NodeWords(Supplier<ClusterFacts> cluster) {
        this.cluster = cluster;
    }

    UserData of(Ec2NodeClass nodeClass, Wish wish, TemplateGroup group, String capacityType) {
        var facts = cluster.get();
        var spec = nodeClass.spec();
        var claim = wish.claim();
        return UserData.of(
                spec.family(),
                new BootstrapInput(
                        new BootstrapInput.ClusterAccess(
                                facts.name(),
                                facts.endpoint(),
                                facts.certificateAuthority(),
                                facts.serviceCidr()),
                        NodeMarks.labels(claim.labels(), capacityType, spec.family()),
                        NodeMarks.taints(claim.taints(), claim.startupTaints()),
                        spec.kubelet().resolved(group.podsMax(), facts.dnsAddress()),
                        spec.isRaid0(),
                        spec.userData(),
                        BottlerocketVersion.of(
                                spec.amiSelectorTerms(), nodeClass.status().amis())));
    }
}
