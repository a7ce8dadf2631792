package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What the charts make of values, before any cluster sees it.
final class RenderingIT {

    private static final Helm HELM = Helm.alone();
    private static final String CLUSTER = "settings.clusterName=shop";

    private static Rendered main(String fixture) {
        return HELM.template(Charts.MAIN, "-f", Charts.fixture("values/" + fixture));
    }

    private static Rendered set(String... values) {
        return HELM.template(Charts.MAIN, "--set", String.join(",", values));
    }

    private static String refused(String values) {
        return HELM.refusal("template", "karpenter", Charts.MAIN, "--set", values);
    }

    static Stream<Path> valuesOfMain() {
        return Charts.files(Charts.fixture("values")).stream();
    }

    static Stream<Path> valuesOfNodePools() {
        return Charts.files(Charts.fixture("nodepools")).stream();
    }

    @Test
    void theChartOfTheSourceTreeWantsAnImage() {
        assertThat(HELM.refusal("template", "karpenter", Charts.SOURCE, "--set", CLUSTER))
                .contains("controller.image.repository is empty; name the image that you pushed");
        assertThat(set(CLUSTER).text()).containsPattern("image: \"?" + Tools.IMAGE + ":v\\d");
    }

    @ParameterizedTest
    @MethodSource("valuesOfMain")
    void lintHasNothingToSayOfTheChart(Path values) {
        assertThat(HELM.run("lint", "--strict", Charts.MAIN, "-f", values))
                .contains("1 chart(s) linted, 0 chart(s) failed");
    }

    @ParameterizedTest
    @MethodSource("valuesOfNodePools")
    void lintHasNothingToSayOfThePools(Path values) {
        assertThat(HELM.run("lint", "--strict", Charts.NODE_POOLS, "-f", values))
                .contains("1 chart(s) linted, 0 chart(s) failed");
    }

    @Test
    void lintHasNothingToSayOfTheDefinitions() {
        assertThat(HELM.run("lint", "--strict", Charts.DEFINITIONS))
                .contains("1 chart(s) linted, 0 chart(s) failed");
    }

    @Test
    void objectsHaveTheNamesThatKarpenterGivesThem() {
        assertThat(set(CLUSTER).names())
                .containsExactly(
                        "ClusterRole karpenter",
                        "ClusterRole karpenter-admin",
                        "ClusterRole karpenter-core",
                        "ClusterRoleBinding karpenter",
                        "ClusterRoleBinding karpenter-core",
                        "Deployment karpenter",
                        "NetworkPolicy karpenter",
                        "Pod karpenter-doctor",
                        "PodDisruptionBudget karpenter",
                        "Role karpenter",
                        "Role karpenter-dns",
                        "RoleBinding karpenter",
                        "RoleBinding karpenter-dns",
                        "Service karpenter",
                        "ServiceAccount karpenter");
    }

    @Test
    void variablesByDefaultAreThoseOfKarpenterAndOurs() {
        assertThat(Rendered.environment(set(CLUSTER).pod()).entrySet())
                .extracting(Object::toString)
                .containsExactly(
                        "AMI_REFRESH_INTERVAL=1m",
                        "AWS_FEATURE_GATES=NodeClassCEL=false",
                        "BATCH_IDLE_DURATION=1s",
                        "BATCH_MAX_DURATION=10s",
                        "CLUSTER_NAME=shop",
                        """
                        CPU_REQUESTS={"resourceFieldRef":{"containerName":"controller","divisor":"1m","resource":"requests.cpu"}}\
                        """,
                        """
                        FEATURE_GATES=ReservedCapacity=true,SpotToSpotConsolidation=false,NodeRepair=false,\
                        NodeOverlay=false,StaticCapacity=false,CapacityBuffer=false\
                        """,
                        "HEALTH_PROBE_PORT=8081",
                        "IGNORE_DRA_REQUESTS=true",
                        "KARPENTER_SERVICE=karpenter",
                        "KUBERNETES_MIN_VERSION=1.19.0-0",
                        "LOG_ERROR_OUTPUT_PATHS=stderr",
                        "LOG_LEVEL=info",
                        "LOG_OUTPUT_PATHS=stdout",
                        """
                        MEMORY_LIMIT={"resourceFieldRef":{"containerName":"controller","divisor":"0","resource":"limits.memory"}}\
                        """,
                        "METRICS_PORT=8080",
                        "MIN_VALUES_POLICY=Strict",
                        "PREFERENCE_POLICY=Respect",
                        "RESERVED_ENIS=0",
                        "SUBNET_REFRESH_INTERVAL=1m",
                        "SYSTEM_NAMESPACE={\"fieldRef\":{\"fieldPath\":\"metadata.namespace\"}}",
                        "VM_MEMORY_OVERHEAD_PERCENT=0.075");
    }

    @Test
    void theControllerIsKeptOnTheNodesOfTheSystem() {
        var rendered = main("system-nodes.yaml");
        var pod = rendered.pod();

        assertThat(rendered.json(pod, "serviceAccountName")).isEqualTo("\"karpenter-sa\"");
        assertThat(rendered.json(pod, "nodeSelector"))
                .isEqualTo("{\"kubernetes.io/os\":\"linux\",\"workload-type\":\"system\"}");
        assertThat(rendered.json(pod, "tolerations"))
                .isEqualTo(
                        """
                        [{"effect":"NoSchedule","key":"workload-type","operator":"Equal","value":"system"}]\
                        """);
        assertThat(rendered.json(Rendered.container(pod), "resources"))
                .isEqualTo(
                        """
                        {"limits":{"cpu":1,"memory":"1Gi"},"requests":{"cpu":"500m","memory":"1Gi"}}\
                        """);
        assertThat(Rendered.environment(pod))
                .containsEntry("CLUSTER_NAME", "test-cluster")
                .containsEntry("INTERRUPTION_QUEUE", "test-cluster");
        assertThat(rendered.names()).contains("ServiceAccount karpenter-sa");
        assertThat(rendered.json(rendered.find("ClusterRoleBinding", "karpenter-core"), "subjects"))
                .contains("\"name\":\"karpenter-sa\"");
    }

    @ParameterizedTest
    @CsvSource({
        "large-cluster.yaml, LOG_LEVEL, info",
        "metrics.yaml, METRICS_PORT, 8080",
        "debug-by-variable.yaml, LOG_LEVEL, debug",
        "debug-by-variable.yaml, LOGLEVEL, debug",
        "debug-by-log-config.yaml, LOG_LEVEL, debug",
        "batch-window.yaml, BATCH_MAX_DURATION, 10s",
        "batch-window.yaml, BATCH_IDLE_DURATION, 1s",
        "karpenter-0.37.yaml, CLUSTER_ENDPOINT, https://test-cluster.example.com",
        "karpenter-0.27.yaml, CLUSTER_NAME, test-cluster",
        "karpenter-0.27.yaml, CLUSTER_ENDPOINT, https://test-cluster.example.com",
        "karpenter-0.27.yaml, INTERRUPTION_QUEUE, test-cluster",
        "karpenter-0.27.yaml, VM_MEMORY_OVERHEAD_PERCENT, 0.08",
        "karpenter-0.27.yaml, LOG_LEVEL, debug",
        "everything.yaml, MILLWRIGHT_DRY_RUN, true",
        "everything.yaml, MILLWRIGHT_PACKING, cheapest",
        "everything.yaml, MILLWRIGHT_CONSOLIDATION, cheapest",
        "everything.yaml, MILLWRIGHT_REBALANCE_POLICY, replace",
        "everything.yaml, DISABLE_WEBHOOK, false",
        "everything.yaml, WEBHOOK_PORT, 9443",
    })
    void whatGuidesAndOlderChartsSayIsHeeded(String values, String variable, String wanted) {
        assertThat(Rendered.environment(main(values).pod())).containsEntry(variable, wanted);
    }

    @Test
    void aServiceMonitorIsMadeOnDemand() {
        assertThat(main("metrics.yaml").names()).contains("ServiceMonitor karpenter");
        assertThat(main("batch-window.yaml").names()).noneMatch(name -> name.contains("Monitor"));
    }

    @Test
    void anAlertLeadsToItsRunbook() {
        assertThat(main("everything.yaml").text())
                .contains("runbook_url: https://runbooks.example.com/millwright#millwrightabsent");
    }

    @Test
    void whatTheClusterDoesNotKnowIsNotMade() {
        var values = Charts.fixture("values/everything.yaml");

        assertThat(HELM.run("template", "karpenter", Charts.MAIN, "-f", values))
                .doesNotContain("kind: ServiceMonitor", "kind: PrometheusRule");
    }

    @Test
    void everyValueOfKarpentersChartHasItsPlace() {
        var rendered = main("karpenter-1.14.yaml");
        var pod = rendered.pod();
        var variables = new TreeMap<>(Rendered.environment(pod));

        assertThat(variables)
                .containsEntry("INTERRUPTION_QUEUE", "karpenter-queue")
                .containsEntry("VM_MEMORY_OVERHEAD_PERCENT", "0.05")
                .containsEntry("IGNORE_DRA_REQUESTS", "false")
                .containsEntry("LOG_OUTPUT_PATHS", "stdout,/tmp/controller.txt")
                .containsEntry(
                        "FEATURE_GATES",
                        "ReservedCapacity=false,SpotToSpotConsolidation=true,NodeRepair=true,"
                                + "NodeOverlay=true,StaticCapacity=true,CapacityBuffer=true");
        assertThat(rendered.json(pod, "affinity", "podAntiAffinity"))
                .contains("\"labelSelector\":{\"matchLabels\":{\"app.kubernetes.io/instance\"");
        assertThat(rendered.json(pod, "topologySpreadConstraints"))
                .contains("\"labelSelector\":{\"matchLabels\":{\"app.kubernetes.io/instance\"");
        assertThat(rendered.text())
                .contains(
                        "hostNetwork: true",
                        "terminationGracePeriodSeconds: 45",
                        "replicas: 3",
                        "revisionHistoryLimit: 5",
                        "maxUnavailable: 2",
                        "sampleLimit: 50000",
                        "scrapeTimeout: 10s",
                        "resourceclaims",
                        "level: s0:c123,c456",
                        "example.com/agent:1",
                        "example.com/wait:1",
                        "eks.amazonaws.com/role-arn",
                        "team: platform",
                        "example.com/owner: platform");
    }

    @Test
    void whatIsFalseOrZeroIsLeftToTheOperator() {
        var variables =
                Rendered.environment(
                        set(
                                        CLUSTER,
                                        "settings.ignoreDRARequests=false",
                                        "settings.vmMemoryOverheadPercent=0")
                                .pod());

        assertThat(variables)
                .doesNotContainKeys("IGNORE_DRA_REQUESTS", "VM_MEMORY_OVERHEAD_PERCENT");
    }

    @Test
    void aVariableOfTheReaderStandsAloneAndWins() {
        var rendered =
                set(CLUSTER, "controller.env[0].name=LOG_LEVEL", "controller.env[0].value=error");

        assertThat(rendered.json(Rendered.container(rendered.pod()), "env"))
                .containsOnlyOnce("\"LOG_LEVEL\"")
                .contains("{\"name\":\"LOG_LEVEL\",\"value\":\"error\"}");
    }

    @Test
    void rightsGrowOnlyWithWhatNeedsThem() {
        var usual = set(CLUSTER);
        var wide = main("everything.yaml");
        var kwok = main("kwok.yaml");

        assertThat(usual.json(usual.find("ClusterRole", "karpenter-core"), "rules"))
                .doesNotContain("\"services\"")
                .doesNotContain("customresourcedefinitions")
                .doesNotContain("[\"deployments\"]");
        assertThat(wide.json(wide.find("ClusterRole", "karpenter-core"), "rules"))
                .contains("\"resources\":[\"services\",\"replicationcontrollers\"]")
                .contains("\"resources\":[\"deployments\"],\"verbs\":[\"patch\"]");
        assertThat(kwok.json(kwok.find("ClusterRole", "karpenter"), "rules"))
                .contains("kwoknodeclasses", "\"create\"")
                .doesNotContain("ec2nodeclasses");
    }

    @Test
    void aTmpOfTheReaderStandsInForOurs() {
        var rendered =
                set(
                        CLUSTER,
                        "extraVolumes[0].name=scratch",
                        "controller.extraVolumeMounts[0].name=scratch",
                        "controller.extraVolumeMounts[0].mountPath=/tmp");

        assertThat(rendered.json(Rendered.container(rendered.pod()), "volumeMounts"))
                .isEqualTo("[{\"mountPath\":\"/tmp\",\"name\":\"scratch\"}]");
    }

    @ParameterizedTest
    @CsvSource({
        "contoller.x=1, contoller, controller",
        "resources.requests.cpu=1, resources, controller.resources",
        "settings.clustername=x, settings.clustername, settings.clusterName",
        "interruptionQueue=x, interruptionQueue, settings.interruptionQueue",
        "controller.resource.x=1, controller.resource, controller.resources",
        "settings.featureGates.spotToSpot=true, settings.featureGates.spotToSpot, settings.featureGates.spotToSpotConsolidation",
        "serviceMonitors.enabled=true, serviceMonitors, serviceMonitor",
    })
    void aWrongKeyIsNamedWithTheOneThatWasMeant(String values, String wrong, String meant) {
        assertThat(refused(CLUSTER + "," + values))
                .contains(
                        "value \"%s\" is unknown to this chart; maybe \"%s\"?"
                                .formatted(wrong, meant));
    }

    @Test
    void allWrongKeysAreToldAtOnce() {
        assertThat(refused(CLUSTER + ",zzz=1,logLevl=debug"))
                .contains("value \"zzz\" is unknown to this chart; see docs/reference/chart.md")
                .contains("value \"logLevl\" is unknown to this chart; maybe \"logLevel\"?");
    }

    @ParameterizedTest
    @CsvSource({
        "replicas=two, /replicas",
        "logLevel=loud, /logLevel",
        "settings.batchMaxDuration=10, /settings/batchMaxDuration",
        "controller.metrics.port=70000, /controller/metrics/port",
        "serviceMonitor.enabled=please, /serviceMonitor/enabled",
        "settings.packing=tight, /settings/packing",
    })
    void aWrongValueIsRefusedByTheSchema(String values, String where) {
        assertThat(refused(CLUSTER + "," + values)).contains("at '%s'".formatted(where));
    }

    @Test
    void whatCannotWorkIsRefusedBeforeItIsInstalled() {
        assertThat(refused("replicas=1"))
                .contains("settings.clusterName is empty; give the name of the EKS cluster");
        assertThat(
                        refused(
                                CLUSTER
                                        + ",controller.image.repository=public.ecr.aws/karpenter/controller"))
                .contains("the image of Karpenter, which this chart cannot run");
    }

    @Test
    void aShadowHasNoRightButToReadAndRunsOnce() {
        var shadow = set(CLUSTER, "shadow.enabled=true");

        assertThat(shadow.objects())
                .filteredOn(each -> String.valueOf(each.text("kind")).endsWith("Role"))
                .hasSize(3)
                .allSatisfy(
                        role ->
                                assertThat(shadow.json(role, "rules"))
                                        .containsPattern("\"(get|list)\"")
                                        .doesNotContain(
                                                "create", "update", "patch", "delete", "*"));
        assertThat(shadow.names()).noneMatch(name -> name.startsWith("PodDisruptionBudget"));
        assertThat(shadow.json(shadow.deployment(), "spec", "replicas")).isEqualTo("1");
        assertThat(Rendered.arguments(shadow.pod())).contains("--shadow");
        assertThat(refused(CLUSTER + ",shadow.enabled=true,webhook.enabled=true"))
                .contains("shadow.enabled and webhook.enabled are both true");
    }

    @Test
    void poolsComeByDiscovery() {
        var rendered =
                HELM.template(Charts.NODE_POOLS, "-f", Charts.fixture("nodepools/discovery.yaml"));
        var spec = Rendered.mapping(rendered.find("EC2NodeClass", "default"), "spec");

        assertThat(rendered.names())
                .containsExactly(
                        "EC2NodeClass default", "NodePool ondemand-pool", "NodePool spot-pool");
        assertThat(rendered.json(spec, "role")).isEqualTo("\"test-role\"");
        assertThat(rendered.json(spec, "subnetSelectorTerms"))
                .isEqualTo("[{\"tags\":{\"karpenter.sh/discovery\":\"test-cluster\"}}]");
        assertThat(rendered.json(spec, "securityGroupSelectorTerms"))
                .isEqualTo("[{\"tags\":{\"karpenter.sh/discovery\":\"test-cluster\"}}]");
        assertThat(rendered.json(rendered.find("NodePool", "spot-pool"), "spec"))
                .contains("\"values\":[\"spot\"]", "\"weight\":100", "\"name\":\"default\"");
        assertThat(rendered.json(rendered.find("NodePool", "ondemand-pool"), "spec"))
                .contains("\"values\":[\"on-demand\"]", "\"weight\":10");
    }

    @Test
    void poolsComeByIds() {
        var rendered =
                HELM.template(Charts.NODE_POOLS, "-f", Charts.fixture("nodepools/by-id.yaml"));

        assertThat(rendered.names())
                .containsExactly(
                        "EC2NodeClass arm",
                        "EC2NodeClass default",
                        "NodePool arm-pool",
                        "NodePool ondemand-pool");
        assertThat(
                        rendered.json(
                                rendered.find("EC2NodeClass", "default"),
                                "spec",
                                "subnetSelectorTerms"))
                .isEqualTo("[{\"id\":\"subnet-0a1b2c3d\"},{\"id\":\"subnet-1a2b3c4d\"}]");
        assertThat(rendered.json(rendered.find("EC2NodeClass", "arm"), "spec"))
                .contains("\"instanceProfile\":\"arm-nodes\"")
                .doesNotContain("\"role\"");
        assertThat(rendered.json(rendered.find("NodePool", "arm-pool"), "spec"))
                .contains("\"name\":\"arm\"", "\"cpu\":10000000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "role=r | EC2NodeClass default: no subnets are named; give clusterName",
                "clusterName=c | EC2NodeClass default: nodes have no role; give role",
                "clusterName=c,role=r,nodePools.a.nodeClass=b | NodePool a: nodeClass \"b\" is not among nodeClasses (default)",
                "clusterName=c,role=r,nodePools.a.nodeClass=default | NodePool a: spec.template.spec.requirements is missing",
                "clusterName=c,role=r,subnetIds[0]=10.0.0.0 | /subnetIds/0",
                "clusterNam=c | invalid propertyName 'clusterNam'",
                "clusterNam=c | value must be one of 'clusterName', 'role'",
                "clusterName=c,role=r,nodePools.a.weight=3 | at '/nodePools/a': additional properties 'weight' not allowed",
            })
    void poolsThatCannotWorkAreRefused(String values, String words) {
        assertThat(HELM.refusal("template", "pools", Charts.NODE_POOLS, "--set", values))
                .contains(words);
    }

    @Test
    void definitionsGetTheAnnotationsAndNothingElse() {
        var plain = HELM.template(Charts.DEFINITIONS);
        var annotated =
                HELM.template(Charts.DEFINITIONS, "--set", "additionalAnnotations.owner=platform");

        assertThat(annotated.names()).isEqualTo(plain.names()).hasSize(5);
        assertThat(annotated.text().replace("  annotations:\n    owner: platform\n", ""))
                .isEqualTo(plain.text());
        assertThat(List.of(annotated.text().split("owner: platform", -1))).hasSize(6);
    }
}
