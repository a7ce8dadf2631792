package dev.millwright.testing.e2e.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.AuditLog;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// That commands which only look at a cluster change nothing, by the API server's own log.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReadOnlyIT {

    private static final Duration COMMAND_MAX = Duration.ofMinutes(3);

    private static final String CLUSTER =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: default, namespace: default}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: default}
            spec:
              containers: [{name: main, image: none, resources: {requests: {cpu: "3"}}}]
            """;

    private ControlPlane plane;

    @BeforeAll
    void start() {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly().audited());
        plane.apply(CustomResources.aws().text());
        plane.established();
        plane.apply(CLUSTER);
        ready("nodepool/general", "{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"Ready\",");
        ready(
                "pod/web",
                "{\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"Unschedulable\",");
    }

    /// No controller runs that would say so.
    private void ready(String object, String condition) {
        plane.kubectl(
                "patch",
                object,
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"conditions\":[%s\"message\":\"\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}"
                        .formatted(condition));
    }

    @AfterAll
    void end() {
        plane.close();
    }

    private String millwright(String... arguments) {
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

    /// What was asked since, by anybody but kubectl and the server itself.
    private List<AuditLog.Request> since(int before) {
        return plane.audit().requests().stream()
                .skip(before)
                .filter(each -> !each.agent().startsWith("kube"))
                .toList();
    }

    @Test
    void planOnlyReads() {
        var before = plane.audit().requests().size();

        var said = millwright("plan", "-q", "-o", "json", "--what-if", "spot");

        var asked = since(before);
        assertThat(said).contains("\"action\" : \"launch\"").contains("\"default/web\"");
        assertThat(asked)
                .extracting(AuditLog.Request::resource)
                .contains("nodepools", "nodeclaims", "nodes", "pods", "poddisruptionbudgets");
        assertThat(asked).noneMatch(AuditLog.Request::isWrite);
    }

    @Test
    void explainOnlyReads() {
        var before = plane.audit().requests().size();

        var said = millwright("explain", "pod", "-q", "web", "-n", "default");

        var asked = since(before);
        assertThat(said).contains("Pod default/web");
        assertThat(asked).extracting(AuditLog.Request::resource).contains("pods");
        assertThat(asked).noneMatch(AuditLog.Request::isWrite);
    }
}
