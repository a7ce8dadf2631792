package dev.millwright.core.disruption;

import static dev.millwright.testing.kit.Given.NOON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.NodeHealth.Sign;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.RepairPolicy.Action;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Which policy is about which condition of a node.
final class SignRulesTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant BEGUN = NOON.minus(HOUR);
    private static final RepairPolicy DISK = new RepairPolicy("Disk", "True", HOUR);

    private static RepairRules rules(RepairPolicy... policies) {
        return new RepairRules(List.of(policies));
    }

    private static Sign sign(String type, String reason) {
        return new Sign(type, "True", reason, BEGUN);
    }

    private static NodeHealth health(Sign... signs) {
        return new NodeHealth(List.of(signs), Instant.EPOCH, false, null, 0);
    }

    private static Diagnosis diagnosis(RepairRules rules, Sign... signs) {
        return rules.diagnosis(health(signs), NOON);
    }

    @Test
    void withoutPoliciesNothingIsSick() {
        assertThat(RepairRules.NONE.isEmpty()).isTrue();
        assertThat(RepairRules.NONE.isSick(health(sign("Disk", "")))).isFalse();
        assertThat(RepairRules.NONE.concerns(health(sign("Disk", "")))).isFalse();
        assertThat(diagnosis(RepairRules.NONE, sign("Disk", ""))).isNull();
    }

    @Test
    void aNodeIsSickByAnySignThatAPolicyIsAbout() {
        assertThat(rules(DISK).isEmpty()).isFalse();
        assertThat(rules(DISK).isSick(health(sign("Net", ""), sign("Disk", "")))).isTrue();
        assertThat(rules(DISK).concerns(health(sign("Net", ""), sign("Disk", "")))).isTrue();
    }

    @Test
    void aSignOfAnotherTypeOrStatusConcernsNobody() {
        var off = new Sign("Disk", "False", "", BEGUN);

        assertThat(rules(DISK).isSick(health(sign("Net", ""), off))).isFalse();
        assertThat(rules(DISK).concerns(health(sign("Net", ""), off))).isFalse();
    }

    @Test
    void policiesAreToldInTheirOrder() {
        var net = new RepairPolicy("Net", "True", HOUR).withPriority(3);

        assertThat(rules(net, DISK).policies()).containsExactly(net, DISK);
    }

    @Test
    void aPolicyThatNamesTheReasonOutweighsOneThatNamesNone() {
        var full = DISK.forReason("Full").by(Action.REBOOT);

        assertThat(diagnosis(rules(DISK, full), sign("Disk", "DiskFull")).policy()).isEqualTo(full);
        assertThat(diagnosis(rules(DISK, full), sign("Disk", "Slow")).policy()).isEqualTo(DISK);
    }

    @Test
    void whereNoPolicyNamesTheReasonTheConditionsOwnStandsIn() {
        var net = new RepairPolicy("Net", "True", HOUR);
        var full = DISK.forReason("Full");

        assertThat(diagnosis(rules(net, DISK, full), sign("Disk", "Slow")).policy())
                .isEqualTo(DISK);
    }

    @Test
    void aReasonThatNobodyNamesIsBorneWhereEveryPolicyNamesOne() {
        assertThat(diagnosis(rules(DISK.forReason("Full")), sign("Disk", "Slow"))).isNull();
    }

    @Test
    void theCostliestActionDecides() {
        var reboot = new RepairPolicy("Net", "True", HOUR).by(Action.REBOOT).withPriority(9);

        var found = diagnosis(rules(reboot, DISK), sign("Net", ""), sign("Disk", ""));

        assertThat(found.action()).isEqualTo(Action.REPLACE);
        assertThat(found.policy()).isEqualTo(DISK);
    }

    @Test
    void ofEqualActionsTheMoreImportantPolicyDecides() {
        var net = new RepairPolicy("Net", "True", HOUR).withPriority(9);

        assertThat(diagnosis(rules(DISK, net), sign("Disk", ""), sign("Net", "")).policy())
                .isEqualTo(net);
    }

    @Test
    void ofEquallyImportantPoliciesTheOneDueFirstDecides() {
        var net = new RepairPolicy("Net", "True", HOUR.minusMinutes(1));

        var found = diagnosis(rules(DISK, net), sign("Disk", ""), sign("Net", ""));

        assertThat(found.policy()).isEqualTo(net);
        assertThat(found.dueAt()).isEqualTo(NOON.minusSeconds(60));
    }

    @Test
    void ofPoliciesDueAtOnceTheFirstTypeDecides() {
        var net = new RepairPolicy("Net", "True", HOUR);

        assertThat(diagnosis(rules(net, DISK), sign("Net", ""), sign("Disk", "")).sign().type())
                .isEqualTo("Disk");
    }

    @Test
    void theShortestDrainThatAnyPolicyWantsCounts() {
        var net = new RepairPolicy("Net", "True", HOUR).drainedWithin(Duration.ofMinutes(9));
        var gpu = new RepairPolicy("Gpu", "True", HOUR).drainedWithin(Duration.ofMinutes(3));
        var cpu = new RepairPolicy("Cpu", "True", HOUR).drainedWithin(Duration.ofMinutes(6));

        assertThat(
                        diagnosis(
                                        rules(DISK, net, gpu, cpu),
                                        sign("Disk", ""),
                                        sign("Net", ""),
                                        sign("Gpu", ""),
                                        sign("Cpu", ""))
                                .drainMax())
                .isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void theMostUrgentPolicyRanksTheNode() {
        var net = new RepairPolicy("Net", "True", Duration.ZERO).withPriority(1).by(Action.REBOOT);
        var gpu = new RepairPolicy("Gpu", "True", HOUR).withPriority(9);

        var found =
                diagnosis(
                        rules(DISK, net, gpu), sign("Disk", ""), sign("Net", ""), sign("Gpu", ""));

        assertThat(found.rank()).isEqualTo(1);
        assertThat(found.rankedSince()).isEqualTo(BEGUN);
        assertThat(found.urgency(NOON)).isEqualTo(3);
    }

    @Test
    void urgencyGrowsByARankEveryHalfHour() {
        assertThat(Diagnosis.urgency(2, NOON.minus(HOUR), NOON)).isEqualTo(4);
    }
}
