package dev.millwright.providers.aws.controllers.nodeclass;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.profile.InstanceProfiles;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Takes away what was made for a class: instance profiles and launch templates.
public final class Finalization {

    private final Ec2Api ec2;
    private final @Nullable InstanceProfiles profiles;
    private final String clusterName;

    /// @param profiles null where IAM is out of reach
    public Finalization(Ec2Api ec2, @Nullable InstanceProfiles profiles, String clusterName) {
        this.ec2 = ec2;
        this.profiles = profiles;
        this.clusterName = clusterName;
    }

    /// Why something could not be taken away; empty when all is gone.
    List<String> failures(Ec2NodeClass nodeClass) {
        if (profiles != null) {
            try {
                profiles.deleteAll(nodeClass);
            } catch (AwsFault fault) {
                // Templates come after profiles: they are what the garbage collection finds.
                return List.of("instance profiles: " + fault.text());
            }
        }
        var failures = new ArrayList<String>();
        try {
            for (var template : ec2.launchTemplates(ours(nodeClass))) {
                try {
                    ec2.deleteLaunchTemplate(template.name());
                } catch (AwsFault fault) {
                    failures.add("launch template %s: %s".formatted(template.name(), fault.text()));
                }
            }
        } catch (AwsFault fault) {
            failures.add("launch templates: " + fault.text());
        }
        return List.copyOf(failures);
    }

    private List<Filter> ours(Ec2NodeClass nodeClass) {
        return List.of(
                Filter.of("tag:eks:eks-cluster-name", clusterName),
                Filter.of("tag:karpenter.k8s.aws/ec2nodeclass", nodeClass.name()));
    }
}
