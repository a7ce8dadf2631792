package dev.millwright.addons.chartproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Rendering;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.step.StepRig;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

final class ChartProxyControllerTest {

    private static final Kind<RawObject> CLUSTERS = WorkloadCluster.kind("v1beta2");
    private static final ObjectName NGINX = new ObjectName("org", "nginx");

    private final StepRig rig =
            StepRig.keeping(List.of(CLUSTERS, AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
    private Value.Mapping outputs = Tree.of("name", "open").mapping();
    private List<String> sensitive = List.of();
    private int renderings;

    /// Renders a template that is a list of words: those that begin with $ are outputs, and `bad`
    /// fails on the cluster of that name.
    private final Rendering rendering =
            (template, inputs) -> {
                renderings++;
                return inputs.stream().map(input -> rendered(template, input)).toList();
            };

    private static Rendering.Answer rendered(String template, Value.Mapping input) {
        var object = RawObject.of(input).root();
        if (object.at("Cluster").at("metadata").at("name").text("").equals("bad")) {
            return new Rendering.Answer.Failed("valuesTemplate:1: no such function");
        }
        return new Rendering.Answer.Text(
                template.replace(
                                "$outputs.name", object.at("outputs").at("name").text("<no value>"))
                        .replace(
                                "$outputs.key", object.at("outputs").at("key").text("<no value>")));
    }

    private final Surroundings surroundings =
            clusters ->
                    clusters.stream()
                            .<Surroundings.Answer>map(
                                    _ ->
                                            new Surroundings.Answer.Found(
                                                    null, null, outputs, sensitive, "1"))
                            .toList();

    private final ChartProxyController controller =
            new ChartProxyController(
                    CLUSTERS,
                    new ChartProxyPorts(rendering, surroundings),
                    ChartProxySettings.DEFAULT);

    private static String cluster(String name, String labels) {
        return """
        apiVersion: cluster.x-k8s.io/v1beta2
        kind: Cluster
        metadata: {name: %s, namespace: org, uid: %s, labels: {%s}}
        status: {initialization: {controlPlaneInitialized: true}}
        """
                .formatted(name, name, labels);
    }

    private static String chart(String name, String spec) {
        return """
        apiVersion: addons.cluster.x-k8s.io/v1alpha1
        kind: HelmChartProxy
        metadata:
          name: %s
          namespace: org
          uid: %s
          generation: 1
          finalizers: [helmchartproxy.addons.cluster.x-k8s.io]
        spec:
          clusterSelector: {matchLabels: {web: 'yes'}}
          chartName: nginx
          repoURL: https://charts.example.com
          %s
        """
                .formatted(name, name, spec.replace("\n", "\n  "));
    }

    private Ending run() {
        return rig.run(controller, NGINX);
    }

    private List<ReleaseProxy> proxies() {
        return rig.view().cache(AddonTypes.RELEASE_PROXY).all().stream()
                .map(ReleaseProxy::of)
                .toList();
    }

    private String condition(String type) {
        var found = rig.find(AddonTypes.CHART_PROXY, NGINX).conditions().find(type);
        return found == null ? "none" : "%s %s".formatted(found.status().text(), found.reason());
    }

    private String message(String type) {
        var found = rig.find(AddonTypes.CHART_PROXY, NGINX).conditions().find(type);
        return found == null ? "none" : found.message();
    }

    /// Says of every release proxy that it is deployed.
    private void ready() {
        for (var proxy : proxies()) {
            var object = proxy.object().object();
            rig.apply(
                    Tree.of("apiVersion", "addons.cluster.x-k8s.io/v1alpha1")
                            .put("kind", "HelmReleaseProxy")
                            .put("metadata", object.fields().get("metadata"))
                            .put("spec", object.fields().get("spec"))
                            .put(
                                    "status",
                                    Tree.of("status", "deployed")
                                            .put("observedGeneration", proxy.meta().generation())
                                            .putList(
                                                    "conditions",
                                                    List.of(
                                                            Tree.of("type", "Ready")
                                                                    .put("status", "True")
                                                                    .put("reason", "InfoReported")
                                                                    .mapping())))
                            .mapping());
        }
    }

    @Test
    void everySelectedClusterGetsAReleaseProxy() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(cluster("c2", "web: 'yes'"))
                .apply(cluster("c3", ""))
                .apply(chart("nginx", "releaseName: web\nvaluesTemplate: 'a: $outputs.name'"));
        run();
        assertThat(proxies())
                .extracting(each -> each.cluster().name(), ReleaseProxy::values)
                .containsExactlyInAnyOrder(tuple("c1", "a: open"), tuple("c2", "a: open"));
        assertThat(condition("HelmReleaseProxySpecsUpToDate"))
                .isEqualTo("False HelmReleaseProxySpecsUpdating");
        assertThat(
                        rig.find(AddonTypes.CHART_PROXY, NGINX)
                                .status()
                                .at("matchingClusters")
                                .elements())
                .hasSize(2);
    }

    @Test
    void allReadyIsReady() {
        rig.apply(cluster("c1", "web: 'yes'")).apply(chart("nginx", ""));
        run();
        ready();
        run();
        assertThat(condition("HelmReleaseProxySpecsUpToDate")).isEqualTo("True UpToDate");
        assertThat(condition("HelmReleaseProxiesReady")).isEqualTo("True InfoReported");
        assertThat(condition("Ready")).isEqualTo("True InfoReported");
    }

    @Test
    void aProxyThatSelectsNothingIsReady() {
        rig.apply(chart("nginx", ""));
        run();
        assertThat(condition("HelmReleaseProxiesReady")).isEqualTo("True Ready");
        assertThat(condition("Ready")).startsWith("True");
    }

    @Test
    void anUnchangedInputIsNotRenderedAgain() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "valuesTemplate: 'a: $outputs.name'"));
        run();
        run();
        assertThat(renderings).isEqualTo(1);
        assertThat(proxies()).hasSize(1);
    }

    @Test
    void valuesThatSomebodyChangedAreRenderedAgain() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "valuesTemplate: 'a: $outputs.name'"));
        run();
        outputs = Tree.of("name", "another").mapping();
        run();
        assertThat(renderings).isEqualTo(2);
        assertThat(proxies().getFirst().values()).isEqualTo("a: another");
    }

    @Test
    void whatFailsForOneClusterStopsNoOther() {
        rig.apply(cluster("bad", "web: 'yes'"))
                .apply(cluster("good", "web: 'yes'"))
                .apply(chart("nginx", "valuesTemplate: 'a: 1'"));
        var ending = run();
        assertThat(proxies()).extracting(each -> each.cluster().name()).containsExactly("good");
        assertThat(condition("HelmReleaseProxySpecsUpToDate"))
                .isEqualTo("False ValueParsingFailed");
        assertThat(message("HelmReleaseProxySpecsUpToDate")).contains("Cluster bad");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
    }

    @Test
    void whatIsNewlyWrongIsAnEventOfTheProxyOnce() {
        rig.apply(cluster("bad", "web: 'yes'")).apply(chart("nginx", "valuesTemplate: 'a: 1'"));
        run();
        run();
        assertThat(rig.events()).hasSize(1);
        assertThat(rig.events().getFirst().reason()).isEqualTo("ValueParsingFailed");
        assertThat(rig.events().getFirst().message()).contains("Cluster bad");
    }

    @Test
    void aMissingOutputIsNamed() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "valuesTemplate: 'a: $outputs.key'"));
        run();
        assertThat(message("HelmReleaseProxySpecsUpToDate"))
                .contains("$outputs.key", "only [name]");
    }

    @Test
    void valuesFromASensitiveOutputGoToASecret() {
        outputs = Tree.of("name", "open").put("key", "hush-hush").mapping();
        sensitive = List.of("key");
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "valuesTemplate: 'a: $outputs.key'"));
        run();
        var proxy = proxies().getFirst();
        assertThat(proxy.values()).isEmpty();
        assertThat(proxy.valuesSecret()).isNotNull();
        assertThat(proxy.object().object().toString()).doesNotContain("hush-hush");
        var answer =
                rig.api()
                        .read(
                                ResourceType.SECRET,
                                new ObjectName("org", proxy.valuesSecret().name()));
        assertThat(answer).isInstanceOf(ApiAnswer.Done.class);
        var secret = RawObject.of(((ApiAnswer.Done) answer).object());
        assertThat(
                        new String(
                                Base64.getDecoder()
                                        .decode(secret.root().at("data").at("values").text("")),
                                StandardCharsets.UTF_8))
                .isEqualTo("a: hush-hush");
        assertThat(secret.meta().owners()).extracting("kind").containsExactly("HelmReleaseProxy");
    }

    @Test
    void aSecretThatIsThereBeforeItsProxyIsWrittenOver() {
        outputs = Tree.of("key", "hush-hush").mapping();
        sensitive = List.of("key");
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "valuesTemplate: 'a: $outputs.key'"));
        run();
        var proxy = proxies().getFirst();
        rig.api().vanish(AddonTypes.RELEASE_PROXY.type(), proxy.object().name());
        rig.api().forgetWrites();
        run();
        assertThat(rig.api().writes())
                .anyMatch(
                        write ->
                                write instanceof ApiWrite.Patch patch
                                        && patch.type().equals(ResourceType.SECRET));
    }

    @Test
    void valuesWithoutASensitiveOutputStandInTheProxy() {
        outputs = Tree.of("name", "open").put("key", "hush-hush").mapping();
        sensitive = List.of("key");
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "valuesTemplate: 'a: $outputs.name'"));
        run();
        assertThat(proxies().getFirst().values()).isEqualTo("a: open");
        assertThat(proxies().getFirst().valuesSecret()).isNull();
    }

    @Test
    void aDeselectedClusterLosesItsProxy() {
        rig.apply(cluster("c1", "web: 'yes'")).apply(chart("nginx", ""));
        run();
        rig.apply(cluster("c1", ""));
        run();
        assertThat(proxies()).isEmpty();
    }

    @Test
    void aDeselectedClusterKeepsWhatWasInstalledOnce() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "reconcileStrategy: InstallOnce"));
        run();
        rig.apply(cluster("c1", ""));
        run();
        assertThat(proxies()).hasSize(1);
    }

    @Test
    void anotherVersionAndOptionsChangeTheProxy() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "version: 1.0.0\noptions: {wait: true, atomic: true}"));
        run();
        rig.apply(
                chart(
                        "nginx",
                        "version: 1.1.0\noptions: {wait: true, install: {createNamespace: false}}"));
        run();
        var proxy = proxies().getFirst();
        assertThat(proxy.source().version()).isEqualTo("1.1.0");
        assertThat(proxy.options().isAtomic()).isFalse();
        assertThat(proxy.options().install().createsNamespace()).isFalse();
    }

    @Test
    void anotherChartIsAReinstallation() {
        rig.apply(cluster("c1", "web: 'yes'")).apply(chart("nginx", ""));
        run();
        var before = proxies().getFirst().name();
        rig.apply(chart("nginx", "").replace("chartName: nginx", "chartName: caddy"));
        run();
        assertThat(condition("HelmReleaseProxySpecsUpToDate"))
                .isEqualTo("False HelmReleaseProxyReinstalling");
        run();
        assertThat(proxies()).hasSize(1);
        assertThat(proxies().getFirst().name()).isNotEqualTo(before);
        assertThat(proxies().getFirst().source().chart()).isEqualTo("caddy");
    }

    @Test
    void aReleaseNameThatIsGivenInPlaceOfAMadeUpOneIsAReinstallation() {
        rig.apply(cluster("c1", "web: 'yes'")).apply(chart("nginx", ""));
        run();
        var made = proxies().getFirst().object().object().toString();
        assertThat(made).doesNotContain("releaseName");
        rig.apply(chart("nginx", "releaseName: web"));
        run();
        assertThat(proxies()).isEmpty();
    }

    @Test
    void aDependencyIsWaitedFor() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("base", ""))
                .apply(chart("nginx", "dependsOn: [{name: base}]"));
        run();
        assertThat(proxies()).isEmpty();
        assertThat(message("HelmReleaseProxySpecsUpToDate")).contains("waits for base");
        rig.run(controller, new ObjectName("org", "base"));
        run();
        assertThat(proxies()).hasSize(1);
        ready();
        run();
        assertThat(proxies()).hasSize(2);
    }

    @Test
    void aCircleOfDependenciesIsNamed() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("base", "dependsOn: [{name: nginx}]"))
                .apply(chart("nginx", "dependsOn: [{name: base}]"));
        run();
        assertThat(proxies()).isEmpty();
        assertThat(message("HelmReleaseProxySpecsUpToDate")).contains("nginx → base → nginx");
    }

    @Test
    void aDependencyOfAnotherNamespaceIsRefused() {
        rig.apply(cluster("c1", "web: 'yes'"))
                .apply(chart("nginx", "dependsOn: [{name: base, namespace: other}]"));
        run();
        assertThat(proxies()).isEmpty();
        assertThat(message("HelmReleaseProxySpecsUpToDate")).contains("namespace other");
    }

    @Test
    void aDeletedChartProxyGoesAfterItsProxies() {
        rig.apply(cluster("c1", "web: 'yes'")).apply(chart("nginx", ""));
        run();
        rig.apply(
                chart("nginx", "")
                        .replace(
                                "generation: 1",
                                "generation: 2\n  deletionTimestamp: 2026-01-01T00:00:00Z"));
        run();
        run();
        assertThat(proxies()).isEmpty();
        assertThat(rig.has(AddonTypes.CHART_PROXY, NGINX)).isFalse();
    }

    @Test
    void aPausedClusterIsNotChanged() {
        rig.apply(cluster("c1", "web: 'yes'") + "spec: {paused: true}\n").apply(chart("nginx", ""));
        run();
        assertThat(proxies()).isEmpty();
    }

    @Test
    void canariesGoFirst() {
        rig.apply(cluster("a", "web: 'yes'"))
                .apply(cluster("z", "web: 'yes', canary: 'yes'"))
                .apply(
                        chart(
                                "nginx",
                                "rollout: {healthyFor: 1m, waves: [{name: canary, clusterSelector: {matchLabels: {canary: 'yes'}}}]}"));
        run();
        assertThat(proxies()).extracting(each -> each.cluster().name()).containsExactly("z");
        ready();
        rig.advance(Duration.ofMinutes(2));
        run();
        assertThat(proxies()).hasSize(2);
    }
}
