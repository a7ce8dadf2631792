package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.AuditLog;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A shadow beside a controller that acts, with the rights of the chart alone, while the API server
/// writes down all that the shadow asks for.
///
/// The controller that acts is ours under the administrator's name; it stands for Karpenter.
final class ShadowIT {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private ControlPlane plane;
    private Rendered chart;
    private ChartAccount account;

    @BeforeEach
    void start() {
        plane = ControlPlane.start(ControlPlane.Options.all().audited());
        plane.apply(CustomResources.kwok().text());
        plane.established();
        plane.apply(
                """
                apiVersion: karpenter.kwok.sh/v1alpha1
                kind: KWOKNodeClass
                metadata: {name: default}
                """);
        plane.apply(pool("web", "100%"));
        plane.apply(pool("held", "0"));
        chart = shadowChart();
        account =
                ChartAccount.of(
                        plane, Chart.OPERATOR, "shadow.enabled=true", "settings.provider=kwok");
    }

    @AfterEach
    void stop() {
        plane.close();
    }

    private static Rendered shadowChart() {
        return Rendered.of(
                Helm.alone()
                        .run(
                                "template",
                                "shadow",
                                Charts.MAIN,
                                "-n",
                                "kube-system",
                                "--kube-version=1.35.0",
                                "--set",
                                "shadow.enabled=true,shadow.reportEvery=5s,settings.provider=kwok"));
    }

    private static String pool(String name, String budget) {
        return """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata: {name: %s}
        spec:
          disruption:
            consolidateAfter: 0s
            budgets: [{nodes: "%s"}]
          template:
            spec:
              requirements:
              - {key: kubernetes.io/os, operator: In, values: [linux]}
              - {key: karpenter.kwok.sh/instance-cpu, operator: Lt, values: ["17"]}
              nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
        """
                .formatted(name, budget);
    }

    private void deployment(String pool, int replicas) {
        plane.apply(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %s, namespace: default}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: %s}}
                  template:
                    metadata: {labels: {app: %s}}
                    spec:
                      terminationGracePeriodSeconds: 1
                      nodeSelector: {karpenter.sh/nodepool: %s}
                      containers:
                      - {name: web, image: none, resources: {requests: {cpu: "1", memory: 1Gi}}}
                """
                        .formatted(pool, replicas, pool, pool, pool));
    }

    private void running(String app, int pods) {
        Eventually.see(
                "%d pods of %s run".formatted(pods, app),
                LIMIT,
                () ->
                        plane.kubectl(
                                        "get",
                                        "pods",
                                        "-n",
                                        "default",
                                        "-l",
                                        "app=" + app,
                                        "--field-selector=status.phase=Running",
                                        "-o=name")
                                .lines()
                                .count(),
                count -> count == pods);
    }

    /// As the chart's Deployment says, with the rights of its account.
    private OperatorProcess shadow() {
        var pod =
                Rendered.mapping(
                        chart.find("Deployment", "shadow-karpenter"), "spec", "template", "spec");
        var arguments = new ArrayList<>(Rendered.arguments(pod));
        arguments.addAll(List.of("--metrics-port", "0", "--health-probe-port", "0"));
        var variables = new TreeMap<>(Rendered.environment(pod));
        variables.putAll(
                Map.of(
                        "SYSTEM_NAMESPACE",
                        "kube-system",
                        "CPU_REQUESTS",
                        "500",
                        "MEMORY_LIMIT",
                        "1073741824"));
        variables.put("KUBECONFIG", account.kubeconfig().toString());
        return OperatorProcess.start(arguments, variables);
    }

    private static void compared(OperatorProcess shadow, String kind, boolean isAgreed) {
        var words = "\"kind\":\"%s\",\"isAgreed\":%s".formatted(kind, isAgreed);
        Eventually.see(
                "the shadow compares " + words,
                LIMIT,
                shadow::lastWords,
                _ ->
                        shadow.log()
                                .lines()
                                .anyMatch(
                                        line ->
                                                line.contains("compared a decision")
                                                        && line.contains(words)));
    }

    private List<AuditLog.Request> asked() {
        return plane.audit().requests().stream()
                .filter(each -> each.user().equals(account.user()))
                .toList();
    }

    /// They take a node away that is full: ours has no reason to.
    private void takeAFullNode() {
        var claim =
                plane.kubectl(
                                "get",
                                "nodeclaims",
                                "-l",
                                "karpenter.sh/nodepool=held",
                                "-o=jsonpath={.items[0].metadata.name}")
                        .strip();
        plane.kubectl(
                "patch",
                "nodeclaim",
                claim,
                "--subresource=status",
                "--type=json",
                "-p",
                """
                [{"op":"add","path":"/status/conditions/-","value":{"type":"DisruptionReason","status":"True",\
                "reason":"Underutilized","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}}]""");
        plane.kubectl("delete", "nodeclaim", claim, "--wait=false");
    }

    @Test
    void aShadowComparesDecisionsAndOnlyReads() {
        try (var acting = OperatorProcess.start(plane).says("started controllers");
                var shadow = shadow().says("started controllers")) {
            deployment("web", 5);
            deployment("held", 3);
            running("web", 5);
            running("held", 3);
            compared(shadow, "launch", true);

            deployment("web", 0);
            compared(shadow, "remove", true);
            takeAFullNode();
            compared(shadow, "remove", false);

            assertThat(shadow.stop()).isZero();
            assertThat(shadow.log().lines().toList().reversed())
                    .anyMatch(line -> line.contains("shadow report"))
                    .noneMatch(line -> line.contains("orbidden"));
            assertThat(acting.stop()).isZero();
        }
        assertThat(asked())
                .noneMatch(AuditLog.Request::isWrite)
                .allMatch(each -> each.code() < 400)
                .noneMatch(each -> each.resource().equals("leases"))
                .extracting(AuditLog.Request::resource)
                .contains("nodeclaims", "nodes", "pods", "nodepools", "kwoknodeclasses");
    }
}
