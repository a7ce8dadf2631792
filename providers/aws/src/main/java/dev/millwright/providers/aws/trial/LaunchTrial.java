package dev.millwright.providers.aws.trial;

import dev.millwright.core.policy.NodePool;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.TrialInstance;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;

import java.util.List;

/// Makes ready what a class is tried by: a launch like any other, of which EC2 is only asked
/// whether it would let it through.
public interface LaunchTrial {

    sealed interface Plan {

        /// @param fleet on demand, for one type in all of the class's subnets
        /// @param instances the same, one a subnet in the order of the status
        record Ready(FleetRequest fleet, List<TrialInstance> instances) implements Plan {
            public Ready {
                instances = List.copyOf(instances);
            }
        }

        /// Nothing to be tried, e.g. because no type takes any of the class's images.
        record Impossible(String why) implements Plan {}
    }

    /// Makes the launch template that such a launch needs. The status is what was found just now.
    ///
    /// @param pools those that use the class
    /// @throws AwsFault when EC2 does not make the template
    Plan plan(Ec2NodeClass nodeClass, List<NodePool> pools) throws AwsFault;
}
