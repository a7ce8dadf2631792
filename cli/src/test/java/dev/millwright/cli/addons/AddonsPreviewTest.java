package dev.millwright.cli.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ChartSource;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Charts;
import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.ReleaseReading;
import dev.millwright.addons.port.Rendering;
import dev.millwright.addons.port.Storage.Look;
import dev.millwright.addons.port.StoredRelease;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.addons.port.Trouble;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

final class AddonsPreviewTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final ReadOnlyApi api = new ReadOnlyApi();

    /// What is deployed, by Cluster; the others do not answer.
    private final Map<String, Map<ReleaseId, Contents>> deployed = new TreeMap<>();

    private List<String> sensitive = List.of();

    private final ReleaseReading reading =
            new ReleaseReading() {
                @Override
                public Look releases(ObjectName cluster) {
                    var there = deployed.get(cluster.name());
                    if (there == null) {
                        return new Look.Failed("it does not answer");
                    }
                    var stored = new TreeMap<ReleaseId, StoredRelease>();
                    there.forEach(
                            (id, contents) ->
                                    stored.put(
                                            id,
                                            new StoredRelease(
                                                    id,
                                                    contents.revision(),
                                                    "deployed",
                                                    NOON,
                                                    new TreeMap<>())));
                    return new Look.Seen(stored);
                }

                @Override
                public Answer contents(ObjectName cluster, ReleaseId id, long revision) {
                    var found = deployed.getOrDefault(cluster.name(), Map.of()).get(id);
                    return found == null
                            ? new Answer.Failed(new Trouble(Trouble.Cause.HELM, "not there"))
                            : new Answer.Found(found);
                }

                @Override
                public Charts.Newest newest(ChartSource source) {
                    return new Charts.Newest.Version("9.9.9");
                }
            };

    /// Renders `$name` and `$key` as the outputs of that name.
    private final Rendering rendering =
            (template, inputs) ->
                    inputs.stream()
                            .<Rendering.Answer>map(
                                    input -> {
                                        var root = RawObject.of(input).root();
                                        return new Rendering.Answer.Text(
                                                template.replace(
                                                                "$name",
                                                                root.at("Cluster")
                                                                        .at("metadata")
                                                                        .at("name")
                                                                        .text(""))
                                                        .replace(
                                                                "$key",
                                                                root.at("outputs")
                                                                        .at("key")
                                                                        .text("")));
                                    })
                            .toList();

    private final Surroundings surroundings =
            clusters ->
                    clusters.stream()
                            .<Surroundings.Answer>map(
                                    _ ->
                                            new Surroundings.Answer.Found(
                                                    null,
                                                    null,
                                                    Tree.of("key", "xyzzy-1").mapping(),
                                                    sensitive,
                                                    "1"))
                            .toList();

    private static RawObject object(String yaml) {
        return RawObject.of(
                (Value.Mapping) DocumentReader.readAll(Source.text("test", yaml)).getFirst());
    }

    private static RawObject cluster(String name, String labels) {
        return object(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %1$s, namespace: org, uid: %1$s, resourceVersion: "7", labels: {%2$s}}
                status: {initialization: {controlPlaneInitialized: true}}
                """
                        .formatted(name, labels));
    }

    private static RawObject chart(String name, String spec) {
        return object(
                """
                apiVersion: addons.cluster.x-k8s.io/v1alpha1
                kind: HelmChartProxy
                metadata: {name: %1$s, namespace: org, uid: %1$s, resourceVersion: "8", generation: 1}
                spec:
                  clusterSelector: {matchLabels: {web: 'yes'}}
                  chartName: web
                  repoURL: https://charts.example.com
                  releaseName: %1$s
                  %2$s
                """
                        .formatted(name, spec.replace("\n", "\n  ")));
    }

    /// A release proxy of the chart proxy `web` that stands for revision 1.
    private static RawObject release(String cluster, String version, String values) {
        return object(
                """
                apiVersion: addons.cluster.x-k8s.io/v1alpha1
                kind: HelmReleaseProxy
                metadata:
                  name: web-%1$s
                  namespace: org
                  uid: web-%1$s
                  resourceVersion: "9"
                  generation: 1
                  finalizers: [helmreleaseproxy.addons.cluster.x-k8s.io]
                  labels:
                    cluster.x-k8s.io/cluster-name: %1$s
                    helmreleaseproxy.addons.cluster.x-k8s.io/helmchartproxy-name: web
                  annotations: {helmreleaseproxy.addons.cluster.x-k8s.io/release-successfully-installed: "true"}
                spec:
                  clusterRef: {kind: Cluster, name: %1$s, namespace: org}
                  chartName: web
                  repoURL: https://charts.example.com
                  releaseName: web
                  namespace: default
                  version: %2$s
                  values: "%3$s"
                status: {revision: 1, observedGeneration: 1}
                """
                        .formatted(cluster, version, values));
    }

    private void isDeployed(String cluster, String version, String json) {
        var id = new ReleaseId("default", "web");
        deployed.put(cluster, Map.of(id, new Contents(1, version, json)));
    }

    private AddonsPreview.Outcome play(AddonsEstate estate) {
        var ports = new AddonsPreview.Ports(reading, rendering, surroundings);
        return new AddonsPreview(estate, Set.of(), api, ports, NOON).play();
    }

    private static AddonsEstate estate(
            List<RawObject> clusters, List<RawObject> charts, List<RawObject> releases) {
        return new AddonsEstate(WorkloadCluster.kind("v1beta2"), clusters, charts, releases);
    }

    private static List<String> lines(AddonsPreview.Outcome outcome) {
        return AddonsText.lines(outcome, new AddonsText.Look(false, true, false));
    }

    @Test
    void aSelectedClusterGetsTheChart() {
        deployed.put("one", Map.of());
        var charts = List.of(chart("web", "version: 1.0.0\nvaluesTemplate: 'on: $name'"));

        var outcome =
                play(
                        estate(
                                List.of(cluster("one", "web: 'yes'"), cluster("two", "web: no")),
                                charts,
                                List.of()));

        assertThat(lines(outcome))
                .containsExactly(
                        "+ install web on one: release default/web, chart web 1.0.0",
                        "    + on: \"one\"");
    }

    @Test
    void anUpgradeShowsVersionsAndValues() {
        isDeployed("one", "1.0.0", "{\"on\":\"zero\",\"size\":3}");
        var charts = List.of(chart("web", "version: 1.1.0\nvaluesTemplate: 'on: $name'"));

        var outcome =
                play(
                        estate(
                                List.of(cluster("one", "web: 'yes'")),
                                charts,
                                List.of(release("one", "1.0.0", "on: zero"))));

        assertThat(lines(outcome))
                .containsExactly(
                        "~ upgrade web on one: release default/web, chart web 1.0.0 → 1.1.0",
                        "    revision 1 is not ours",
                        "    - on: \"zero\"",
                        "    + on: \"one\"",
                        "    - size: 3");
    }

    @Test
    void whatIsAsItShouldBeIsLeftAlone() {
        isDeployed("one", "1.0.0", "{\"on\":\"one\"}");
        var charts = List.of(chart("web", "version: 1.0.0\nvaluesTemplate: 'on: $name'"));

        var outcome =
                play(
                        estate(
                                List.of(cluster("one", "web: 'yes'")),
                                charts,
                                List.of(release("one", "1.0.0", "on: one"))));

        assertThat(lines(outcome)).containsExactly("nothing would change");
    }

    @Test
    void aClusterThatIsDeselectedLosesItsRelease() {
        isDeployed("one", "1.0.0", "{}");
        var before =
                estate(
                        List.of(cluster("one", "web: 'yes'")),
                        List.of(chart("web", "version: 1.0.0")),
                        List.of(release("one", "1.0.0", "")));

        var outcome = play(before.with(List.of(cluster("one", "web: no")), "org"));

        assertThat(lines(outcome))
                .containsExactly("- uninstall web on one: release default/web, chart web 1.0.0");
    }

    @Test
    void aReleaseOfSomebodyElseHoldsItUp() {
        isDeployed("one", "1.0.0", "{}");

        var outcome =
                play(
                        estate(
                                List.of(cluster("one", "web: 'yes'")),
                                List.of(chart("web", "version: 1.0.0")),
                                List.of()));

        assertThat(outcome.changes()).isEmpty();
        assertThat(outcome.held())
                .singleElement()
                .satisfies(held -> assertThat(held.message()).contains("takeOwnership"));
    }

    @Test
    void oneComesAfterTheOtherAndAWaveAfterAWave() {
        deployed.put("one", Map.of());
        deployed.put("two", Map.of());
        var charts =
                List.of(
                        chart("a", "dependsOn: [{name: web}]"),
                        chart(
                                "web",
                                "rollout: {waves: [{name: canary, clusterSelector: {matchLabels: {first: 'yes'}}}], healthyFor: 1h}"));

        var outcome =
                play(
                        estate(
                                List.of(
                                        cluster("one", "web: 'yes'"),
                                        cluster("two", "web: 'yes', first: 'yes'")),
                                charts,
                                List.of()));

        assertThat(outcome.changes())
                .extracting(each -> each.proxy() + " on " + each.cluster())
                .containsExactly("web on two", "a on two", "web on one", "a on one");
        assertThat(outcome.held()).isEmpty();
    }

    @Test
    void aClusterThatDoesNotAnswerIsNamedAndStopsNoOther() {
        deployed.put("two", Map.of());
        var clusters = List.of(cluster("one", "web: 'yes'"), cluster("two", "web: 'yes'"));

        var outcome = play(estate(clusters, List.of(chart("web", "")), List.of()));

        assertThat(lines(outcome))
                .contains("+ install web on two: release default/web, chart web 9.9.9")
                .contains("! web on one: HelmReleaseGetFailed: it does not answer");
    }

    @Test
    void secretValuesAreNeverShown() {
        sensitive = List.of("key");
        isDeployed("one", "1.0.0", "{\"code\":\"plugh-2\",\"password\":\"old\"}");
        var charts = List.of(chart("web", "version: 1.0.0\nvaluesTemplate: 'code: $key'"));

        var outcome =
                play(
                        estate(
                                List.of(cluster("one", "web: 'yes'")),
                                charts,
                                List.of(release("one", "1.0.0", ""))));

        assertThat(AddonsText.result(outcome).toString())
                .contains("code", ValuesDiff.MASK)
                .doesNotContain("xyzzy-1", "plugh-2", "old");
    }

    @Test
    void aNameThatSoundsSecretIsMaskedAnywhere() {
        assertThat(ValuesDiff.of("db: {password: a, user: b}", "db: {password: c}", false))
                .containsExactly(
                        new ValuesDiff.Line("db.password", "***", "***"),
                        new ValuesDiff.Line("db.user", "\"b\"", null));
    }

    @Test
    void aProposalKeepsWhatTheServerKnows() {
        var before = estate(List.of(), List.of(chart("web", "version: 1.0.0")), List.of());

        var after = before.with(List.of(chart("web", "version: 2.0.0")), "org").charts();

        assertThat(after).hasSize(1);
        assertThat(after.getFirst().meta().uid()).isEqualTo("web");
        assertThat(after.getFirst().meta().generation()).isEqualTo(2);
        assertThat(after.getFirst().spec().at("version").text()).isEqualTo("2.0.0");
        assertThat(after.getFirst().root().at("kind").text())
                .isEqualTo(AddonTypes.CHART_PROXY.type().kind());
    }

    @Test
    void statusTellsWantedDeployedAndWhatWaits() {
        isDeployed("one", "1.0.0", "{}");
        var waiting =
                object(
                        """
                        apiVersion: addons.cluster.x-k8s.io/v1alpha1
                        kind: HelmChartProxy
                        metadata: {name: web, namespace: org}
                        spec: {chartName: web, repoURL: 'https://charts.example.com', releaseName: web}
                        status:
                          matchingClusters: [{name: one}, {name: two}]
                          conditions:
                          - {type: HelmReleaseProxySpecsUpToDate, status: "False", reason: HelmReleaseProxySpecsUpdating, message: waits for cni}
                        """);
        var releases =
                AddonsStatus.of(
                        estate(List.of(), List.of(waiting), List.of(release("one", "1.1.0", ""))),
                        reading);

        assertThat(releases)
                .extracting(
                        each ->
                                "%s %s %s %s %d"
                                        .formatted(
                                                each.cluster(),
                                                each.wanted(),
                                                each.deployed(),
                                                each.message(),
                                                each.revision()))
                .containsExactly("one 1.1.0 1.0.0  1", "two  null waits for cni 0");
    }
}
