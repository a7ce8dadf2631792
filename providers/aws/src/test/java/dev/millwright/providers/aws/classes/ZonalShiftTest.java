package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.controllers.zonalshift.ZonalShiftController;
import dev.millwright.providers.aws.network.ZonalShifts;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;

/// Who hears that the cluster is shifted away from a zone.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-H5")
class ZonalShiftTest {

    private static final String ZONE_A = "use1-az2";
    private static final String ZONE_B = "use1-az4";

    private final ClassRig rig = new ClassRig();
    private final ZonalShifts shifts =
            new ZonalShifts(
                    rig.clients().zonalShift(),
                    TestAccount.CLUSTER_ARN,
                    rig.rig().clock(),
                    rig.subnets()::zoneId);
    private final ZonalShiftController controller =
            new ZonalShiftController(rig.rig().classKind(), shifts);

    @BeforeEach
    void aClassAndTwoPools() {
        rig.make().look();
        rig.pool("any", "[]");
        rig.pool(
                "only-b",
                "[{key: topology.kubernetes.io/zone, operator: In, values: [us-east-1b]}]");
    }

    private static Tree shift(String zoneId, Duration left) {
        return Tree.of("awayFrom", zoneId)
                .put("expiryTime", Given.NOON.plus(left).getEpochSecond());
    }

    private List<String> told() {
        return rig.rig().events().stream()
                .map(
                        event ->
                                "%s %s %s"
                                        .formatted(
                                                event.type().text(),
                                                event.reason(),
                                                event.subject().name().name()))
                .toList();
    }

    @Test
    void poolsThatCanUseTheZoneHearOfItsShiftOnce(TestAccount aws) {
        aws.shifts(TestAccount.CLUSTER_ARN, shift(ZONE_A, Duration.ofHours(1)));
        assertThat(rig.rig().run(controller)).isEqualTo(new Ending.Again(Duration.ofSeconds(30)));
        rig.rig().run(controller);

        assertThat(told()).containsExactly("Warning ZonalShiftActive any");
        assertThat(rig.rig().events().getFirst().message()).contains("us-east-1a", ZONE_A);
        assertThat(shifts.isShifted("us-east-1a")).isTrue();
        assertThat(shifts.isShifted("us-east-1b")).isFalse();
        assertThat(shifts.isShiftedId(ZONE_A)).isTrue();
    }

    @Test
    void theyHearOfItsEndToo(TestAccount aws) {
        aws.shifts(TestAccount.CLUSTER_ARN, shift(ZONE_B, Duration.ofHours(1)));
        rig.rig().run(controller);
        aws.shifts(TestAccount.CLUSTER_ARN);
        rig.rig().run(controller);

        assertThat(told())
                .containsExactly(
                        "Warning ZonalShiftActive any",
                        "Warning ZonalShiftActive only-b",
                        "Normal ZonalShiftCleared any",
                        "Normal ZonalShiftCleared only-b");
        assertThat(shifts.isShiftedId(ZONE_B)).isFalse();
    }

    @Test
    void requirementsOfZoneIdsCountAsMuch(TestAccount aws) {
        rig.pool("not-b", "[{key: topology.k8s.aws/zone-id, operator: NotIn, values: [use1-az4]}]");
        aws.shifts(TestAccount.CLUSTER_ARN, shift(ZONE_B, Duration.ofHours(1)));
        rig.rig().run(controller);

        assertThat(told())
                .containsExactly("Warning ZonalShiftActive any", "Warning ZonalShiftActive only-b");
    }

    @Test
    void aZoneWithoutASubnetConcernsNobody(TestAccount aws) {
        aws.shifts(TestAccount.CLUSTER_ARN, shift("use1-az5", Duration.ofHours(1)));
        rig.rig().run(controller);

        assertThat(told()).isEmpty();
        assertThat(shifts.isShiftedId("use1-az5")).isTrue();
    }

    @Test
    void aShiftLapsesByItselfAndOnlyOneThatIsAppliedCounts(TestAccount aws) {
        aws.shifts(
                TestAccount.CLUSTER_ARN,
                shift(ZONE_A, Duration.ofHours(1)),
                shift(ZONE_B, Duration.ofHours(1)).put("appliedStatus", "NOT_APPLIED"));
        rig.rig().run(controller);
        assertThat(shifts.shiftedIds()).containsExactly(ZONE_A);

        aws.shifts(
                TestAccount.CLUSTER_ARN,
                shift(ZONE_B, Duration.ofHours(1)).put("appliedStatus", "NOT_APPLIED"));
        rig.rig().run(controller);
        assertThat(shifts.shiftedIds()).containsExactly(ZONE_A);
        rig.rig().advance(Duration.ofHours(1));
        assertThat(shifts.shiftedIds()).isEmpty();
    }

    @Test
    void whoAsksFirstLearnsOfShiftsWithoutTheLoop(TestAccount aws) {
        aws.shifts(TestAccount.CLUSTER_ARN, shift(ZONE_A, Duration.ofHours(1)));

        assertThat(shifts.isShiftedId(ZONE_A)).isTrue();
        assertThat(shifts.isShiftedId(ZONE_B)).isFalse();
        assertThat(aws.calls("GetManagedResource")).isEqualTo(1);
    }

    @Test
    void whatIsNotToldStaysAsItWas(TestAccount aws) {
        aws.shifts(TestAccount.CLUSTER_ARN, shift(ZONE_A, Duration.ofHours(1)));
        rig.rig().run(controller);
        aws.fail(ApiFault.refuse("GetManagedResource", "AccessDeniedException", 403));

        assertThat(rig.rig().run(controller)).isInstanceOf(Ending.Failed.class);
        assertThat(shifts.isShiftedId(ZONE_A)).isTrue();
        assertThat(told()).hasSize(1);
    }
}
