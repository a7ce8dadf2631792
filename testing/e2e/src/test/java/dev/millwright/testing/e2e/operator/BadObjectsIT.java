package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/// A pool that cannot work says so where its owner looks, and the others go on.
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BadObjectsIT {

    private OperatorProcess operator;

    @BeforeAll
    void start(ControlPlane plane) {
        Fleet.of(plane, "none");
        operator = OperatorProcess.start(plane).says("started controllers");
    }

    @AfterAll
    void stop() {
        assertThat(operator.stop()).isZero();
    }

    private static String condition(ControlPlane plane, String pool, String type, String field) {
        return plane.kubectl(
                "get",
                "nodepool",
                pool,
                "-o=jsonpath={.status.conditions[?(@.type==\"%s\")].%s}".formatted(type, field));
    }

    @Test
    void aPoolWhoseClassIsMissingIsNotReadyAndOthersGoOn(ControlPlane plane) {
        plane.apply(pool("classless", "missing", "values: [linux]", ""));
        var sound = Fleet.of(plane, "sound").pool().deployment(3).running(3);

        Eventually.see(
                "the class is said to be missing",
                () -> condition(plane, "classless", "NodeClassReady", "reason"),
                "NodeClassNotFound"::equals);
        assertThat(condition(plane, "classless", "NodeClassReady", "message")).contains("missing");
        assertThat(condition(plane, "classless", "Ready", "status")).isEqualTo("False");
        plane.kubectl("delete", "nodepool", "classless");
        sound.removed();
    }

    @Test
    void contradictoryRequirementsAreToldOnThePool(ControlPlane plane) {
        plane.apply(pool("contradictory", "default", "values: [plan9]", ""));
        var fleet = Fleet.of(plane, "contradictory").deployment(1);

        Eventually.see(
                "an event names the fault",
                () -> events(plane, "NoCompatibleInstanceTypes"),
                text -> text.contains("contradictory"));
        Eventually.see(
                "the pod is told too",
                () -> events(plane, "FailedScheduling"),
                text -> text.contains("contradictory"));
        assertThat(fleet.claims()).isEmpty();
        fleet.removed();
    }

    @Test
    void aLimitOfZeroIsToldToThePod(ControlPlane plane) {
        plane.apply(pool("closed", "default", "values: [linux]", "  limits: {cpu: \"0\"}\n"));
        var fleet = Fleet.of(plane, "closed").deployment(1);

        Eventually.see(
                "the pod is told of the limit",
                () -> events(plane, "FailedScheduling"),
                text -> text.contains("closed") && text.contains("limit"));
        assertThat(fleet.claims()).isEmpty();
        fleet.removed();
    }

    @Test
    void aBudgetThatCannotBeParsedIsToldOnThePool(ControlPlane plane) {
        plane.apply(
                pool(
                        "unbudgeted",
                        "default",
                        "values: [linux]",
                        "  disruption: {budgets: [{nodes: \"1\", schedule: \"61 * * * *\", duration: 1h}]}\n"));

        Eventually.see(
                "a condition or event names the schedule",
                () ->
                        events(plane, "unbudgeted")
                                + condition(plane, "unbudgeted", "ValidationSucceeded", "message"),
                text -> text.contains("61 * * * *"));
        plane.kubectl("delete", "nodepool", "unbudgeted");
    }

    private static String events(ControlPlane plane, String words) {
        return plane.kubectl(
                        "get",
                        "events",
                        "-A",
                        "-o=jsonpath={range .items[*]}{.reason} {.involvedObject.name} {.message}{\"\\n\"}{end}")
                .lines()
                .filter(line -> line.contains(words))
                .reduce("", (all, line) -> all + line + "\n");
    }

    private static String pool(String name, String nodeClass, String values, String more) {
        return """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata: {name: %s}
        spec:
          template:
            spec:
              requirements: [{key: kubernetes.io/os, operator: In, %s}]
              nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: %s}
        %s"""
                .formatted(name, values, nodeClass, more);
    }
}
