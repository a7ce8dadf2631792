package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.ConditionFamilies;
import dev.millwright.controllers.status.StatusController;
import dev.millwright.controllers.status.StatusKind;
import dev.millwright.kube.object.Condition;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;

/// How a class's conditions add up, and who hears of them.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class ClassConditionsTest {

    @Test
    void allConditionsAreThereFromTheFirstLookOnWithReadyLast(TestAccount aws) {
        aws.fail(ApiFault.refuse("DescribeSubnets", "UnauthorizedOperation", 403).always());
        var rig = new ClassRig().make();
        rig.look();

        assertThat(rig.nodeClass().conditions())
                .extracting(Condition::type)
                .containsExactlyInAnyOrder(
                        "AMIsReady",
                        "SubnetsReady",
                        "SecurityGroupsReady",
                        "InstanceProfileReady",
                        "ValidationSucceeded",
                        "PlacementGroupReady",
                        "CapacityReservationsReady",
                        "Ready")
                .endsWith("Ready");
        assertThat(rig.condition("SubnetsReady")).isEqualTo("Unknown AwaitingReconciliation");
        assertThat(rig.condition("Ready")).isEqualTo("Unknown ReconcilingDependents");
    }

    @Test
    void readyNamesWhatIsAmissTheLatestChangeFirst() {
        var rig = new ClassRig().make("subnetSelectorTerms", "[{id: subnet-none}]");
        rig.look();
        rig.rig().advance(Duration.ofMinutes(1));
        rig.change("securityGroupSelectorTerms", "[{id: sg-none}]").look();

        assertThat(rig.message("Ready"))
                .startsWith("SecurityGroupsReady=False, ")
                .contains("SubnetsReady=False");
    }

    @Test
    void conditionsOfClassesAreMeasuredAsThoseOfOtherKinds() {
        var rig = new ClassRig().make();
        rig.look();
        var families = ConditionFamilies.of("EC2NodeClass", List.of());
        rig.rig().run(new StatusController<>(StatusKind.classes(rig.rig().classKind())), "default");

        assertThat(families.count().name())
                .isEqualTo("operator_ec2nodeclass_status_condition_count");
        assertThat(rig.rig().gauge(families.count(), "", "default", "Ready", "True", "Ready"))
                .isEqualTo(1);
    }
}
