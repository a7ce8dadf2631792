package dev.millwright.providers.aws;

import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.launch.Instances;
import dev.millwright.providers.aws.launch.Machines;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.RegistrationHook;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collections;
import java.util.TreeMap;
import java.util.function.Function;

/// A node in a partitioned placement group registers when it is known which partition it is in:
/// pods are spread over partitions by that label.
final class PartitionHook implements RegistrationHook {

    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Instances instances;
    private final PlacementGroups groups;
    private final Function<NodeClassRef, @Nullable Ec2NodeClass> classes;

    PartitionHook(
            Instances instances,
            PlacementGroups groups,
            Function<NodeClassRef, @Nullable Ec2NodeClass> classes) {
        this.instances = instances;
        this.groups = groups;
        this.classes = classes;
    }

    @Override
    public String name() {
        return "PlacementGroupRegistrationHook";
    }

    @Override
    public Answer registered(MachineClaim claim) {
        var label = claim.labels().getOrDefault(Ec2Labels.PLACEMENT_GROUP_PARTITION, "");
        if (!label.isEmpty() || !isPartitioned(claim)) {
            return new Answer.Passed(Collections.emptySortedMap());
        }
        if (claim.providerId().isEmpty()) {
            return new Answer.Pending(AGAIN);
        }
        var id = Machines.instanceId(claim.providerId());
        if (id == null) {
            return new Answer.Failed(
                    "NodeClaim %s has provider id \"%s\"; wanted aws:///<zone>/<instance id>"
                            .formatted(claim.name(), claim.providerId()));
        }
        return switch (instances.findFresh(id)) {
            case Instances.Lookup.Gone() ->
                    new Answer.Failed("instance %s is not there any more".formatted(id));
            case Instances.Lookup.Failed(var fault) -> new Answer.Failed(fault.text());
            case Instances.Lookup.Found(var instance) ->
                    instance.partition() == 0
                            ? new Answer.Pending(AGAIN)
                            : passed(instance.partition());
        };
    }

    private static Answer passed(int partition) {
        var labels = new TreeMap<String, String>();
        labels.put(Ec2Labels.PLACEMENT_GROUP_PARTITION, Integer.toString(partition));
        return new Answer.Passed(labels);
    }

    private boolean isPartitioned(MachineClaim claim) {
        if (claim.labels().getOrDefault(Ec2Labels.PLACEMENT_GROUP_ID, "").isEmpty()) {
            return false;
        }
        var nodeClass = classes.apply(claim.nodeClassRef());
        var group = nodeClass == null ? null : groups.known(nodeClass);
        return group != null && group.strategy().equals(ClassFacts.PARTITION);
    }
}
