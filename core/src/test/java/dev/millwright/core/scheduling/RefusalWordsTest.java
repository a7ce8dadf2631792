package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.WaitReason.PoolRefusal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What people are told of each reason to wait and of each refusal.
final class RefusalWordsTest {

    private static Refusal.NoInstanceType noType(
            boolean isRequirementMet, boolean isResourceMet, boolean isOfferingMet) {
        return new Refusal.NoInstanceType(
                isRequirementMet,
                isResourceMet,
                isOfferingMet,
                Requirements.of(in("zone", "a")),
                Resources.parse("cpu", "1"),
                Resources.NONE,
                Resources.NONE);
    }

    private static Refusal topology(Map<String, Integer> counts) {
        return new Refusal.Topology(
                "topology spread", "zone", new TreeMap<>(counts), in("zone", "a"), exists("zone"));
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(
                        new Refusal.Untolerated(taint("team", "a")),
                        "does not tolerate taint team=a:NoSchedule"),
                Arguments.of(
                        new Refusal.Requirement(new Mismatch.Contradiction("zone")),
                        "incompatible requirements, label \"zone\": what is asked for contradicts itself"),
                Arguments.of(
                        new Refusal.Volume(new Mismatch.Undefined("zone", null)),
                        "incompatible volume requirements, label \"zone\" does not have known values"),
                Arguments.of(
                        topology(Map.of("b", 2, "a", 1)),
                        "unsatisfiable topology spread over zone (pods by domain: a 1, b 2; the pod allows zone In [a]; the node offers zone Exists)"),
                Arguments.of(
                        topology(Map.of()),
                        "unsatisfiable topology spread over zone (pods by domain: none; the pod allows zone In [a]; the node offers zone Exists)"),
                Arguments.of(
                        new Refusal.HostPorts(List.of("80")),
                        "host ports [80] are taken on every instance type"),
                Arguments.of(
                        new Refusal.VolumeLimit("ebs", 30, 25),
                        "30 volumes of driver ebs are more than any instance type attaches (25)"),
                Arguments.of(
                        new Refusal.Limit(Resources.parse("cpu", "2")),
                        "all available instance types exceed limits for nodepool; left: cpu 2"),
                Arguments.of(
                        new Refusal.NodeLimit(), "node limits have been exhausted for nodepool"),
                Arguments.of(
                        new Refusal.MinValues("zone", 3, 2),
                        "minValues of \"zone\" is 3, but the instance types left have only 2"),
                Arguments.of(
                        new Refusal.NoTypesLeft(),
                        "nodepool requirements filtered out all available instance types"),
                Arguments.of(
                        noType(true, true, true),
                        "no instance type met requirements, resources and offering together, requirements: zone In [a], requested: cpu 1"),
                Arguments.of(
                        noType(false, true, true),
                        "no instance type met the scheduling requirements, requirements: zone In [a], requested: cpu 1"),
                Arguments.of(
                        noType(true, false, true),
                        "no instance type had enough resources, requirements: zone In [a], requested: cpu 1"),
                Arguments.of(
                        noType(true, true, false),
                        "no instance type had a required offering, requirements: zone In [a], requested: cpu 1"),
                Arguments.of(
                        noType(false, false, false),
                        "no instance type met the scheduling requirements or had enough resources or had a required offering, requirements: zone In [a], requested: cpu 1"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalSaysWhatWasTried(Refusal refusal, String words) {
        assertThat(refusal.explain()).isEqualTo(words);
    }

    private static String asking(String cpu, String daemons, String missing) {
        return new Refusal.NoInstanceType(
                        true,
                        false,
                        true,
                        Requirements.NONE,
                        Resources.parse("cpu", cpu),
                        Resources.parse("cpu", daemons),
                        Resources.parse("cpu", missing))
                .explain();
    }

    @Test
    void whatDaemonsTakeAndWhatIsMissingIsTold() {
        assertThat(asking("20", "1", "4"))
                .endsWith("requested: cpu 20, daemons take: cpu 1, the nearest type lacks: cpu 4");
    }

    @Test
    void aMillionCpusAreSuspectedToBeASlip() {
        assertThat(asking("1M", "1", "4"))
                .endsWith("(a million cpus or more: was m meant instead of M?)");
        assertThat(asking("999999", "1", "4")).doesNotContain("was m meant");
    }

    static Stream<Arguments> reasons() {
        return Stream.of(
                Arguments.of(
                        new WaitReason.NoNodePools(),
                        "NoNodePools",
                        "no NodePool is ready to launch nodes for pods; make one, or see the Ready condition of those there are"),
                Arguments.of(
                        new WaitReason.NodePoolsWithoutTypes(List.of("a", "b")),
                        "NodePoolsWithoutTypes",
                        "nodepool requirements filtered out all available instance types (a, b)"),
                Arguments.of(
                        new WaitReason.Refused(
                                List.of(
                                        new PoolRefusal("a", new Refusal.NodeLimit()),
                                        new PoolRefusal("b", new Refusal.NoTypesLeft()))),
                        "Refused",
                        "NodePool a: node limits have been exhausted for nodepool; NodePool b: nodepool requirements filtered out all available instance types"),
                Arguments.of(
                        new WaitReason.ReservationPending("a"),
                        "ReservationPending",
                        "NodePool a: compatible reserved capacity is held by other claims of this pass; it is tried again in the next"),
                Arguments.of(
                        new WaitReason.ResourceClaimsUnsupported(),
                        "ResourceClaimsUnsupported",
                        "the pod has Dynamic Resource Allocation requirements, which are not yet supported"),
                Arguments.of(new WaitReason.Invalid("wrong"), "Invalid", "wrong"),
                Arguments.of(
                        new WaitReason.OptedOut(),
                        "OptedOut",
                        "the pod requires karpenter.sh/nodepool DoesNotExist"),
                Arguments.of(
                        new WaitReason.MinValuesLost("a", "too few"),
                        "MinValuesLost",
                        "NodePool a cannot meet minValues: too few"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void aReasonToWaitHasANameAndWords(WaitReason reason, String label, String words) {
        assertThat(reason.label()).isEqualTo(label);
        assertThat(reason.explain()).isEqualTo(words);
    }
}
