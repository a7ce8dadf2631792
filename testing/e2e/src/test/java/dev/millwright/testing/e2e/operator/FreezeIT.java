package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `millwright freeze` on a real cluster, with the operator at work.
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FreezeIT {

    private static final Duration COMMAND_MAX = Duration.ofMinutes(4);

    private OperatorProcess operator;

    @BeforeAll
    void start(ControlPlane plane) {
        Fleet.of(plane, "none");
        operator = OperatorProcess.start(plane).says("started controllers");
    }

    @AfterAll
    void stop(ControlPlane plane) {
        millwright(plane, "unfreeze"); // Others use the cluster, too.
        assertThat(operator.stop()).isZero();
    }

    private static String millwright(ControlPlane plane, String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.millwright.cli.Main"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--kubeconfig", plane.kubeconfig().toString()));
        return Shell.run(command, "", COMMAND_MAX);
    }

    private static String annotation(ControlPlane plane, String... object) {
        var arguments = new ArrayList<>(List.of("get"));
        arguments.addAll(List.of(object));
        arguments.add("-o=jsonpath={.metadata.annotations.millwright\\.dev/freeze}");
        return plane.kubectl(arguments.toArray(String[]::new));
    }

    @Test
    void emptyNodesStayUntilTheClusterIsReleased(ControlPlane plane) {
        var fleet = Fleet.of(plane, "frozen").pool().deployment(3).running(3).paired();

        assertThat(millwright(plane, "freeze", "--reason", "release week"))
                .isEqualTo("Namespace kube-system: frozen (release week)\n");
        assertThat(annotation(plane, "namespace", "kube-system")).isEqualTo("release week");
        operator.says("disruption is frozen");
        var before = fleet.nodes();
        fleet.deployment(0).running(0);
        Eventually.see(
                "the pool tells why its nodes stay",
                () ->
                        plane.kubectl(
                                "get",
                                "events",
                                "-A",
                                "--field-selector=involvedObject.name=frozen,reason=DisruptionBlocked",
                                "-o=jsonpath={.items[*].message}"),
                messages -> messages.contains("release week"));
        assertThat(fleet.nodes()).isEqualTo(before);

        millwright(plane, "unfreeze");

        assertThat(annotation(plane, "namespace", "kube-system")).isEmpty();
        Eventually.see("nodes without pods go again", fleet::nodes, List::isEmpty);
        fleet.removed();
    }

    @Test
    void aPoolIsFrozenAloneAndBadAnnotationsAreTold(ControlPlane plane) {
        var fleet = Fleet.of(plane, "icy").pool();

        millwright(plane, "freeze", "--nodepool", "icy", "--reason", "mine");
        assertThat(annotation(plane, "nodepool", "icy")).isEqualTo("mine");
        plane.kubectl("annotate", "nodepool", "icy", "millwright.dev/maintenance-windows=weekends");
        Eventually.see(
                "the pool tells what is wrong",
                () ->
                        plane.kubectl(
                                "get",
                                "nodepool",
                                "icy",
                                "-o=jsonpath={.status.conditions[?(@.type==\"ValidationSucceeded\")].message}"),
                message -> message.contains("millwright.dev/maintenance-windows"));
        millwright(plane, "unfreeze", "--nodepool", "icy");

        assertThat(annotation(plane, "nodepool", "icy")).isEmpty();
        fleet.removed();
    }
}
