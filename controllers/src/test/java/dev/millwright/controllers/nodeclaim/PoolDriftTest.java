package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.PoolText.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodeclaim.disruption.ClaimDisruptionController;
import dev.millwright.controllers.nodeclaim.disruption.DriftMemory;
import dev.millwright.controllers.nodepool.hash.HashController;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PoolDriftTest {

    private static final String HASH = "karpenter.sh/nodepool-hash";
    private static final String VERSION = "karpenter.sh/nodepool-hash-version";
    private static final String ON_DEMAND = in("karpenter.sh/capacity-type", "on-demand");

    private final ClaimStage stage = new ClaimStage();
    private final ClaimDisruptionController disruption =
            new ClaimDisruptionController(
                    stage.rig().cloud().traits().vocabulary(),
                    stage.rig().cloud()::catalog,
                    new DriftMemory(),
                    stage.rig().view().classKinds(),
                    1);

    private @Nullable String drift(String claim) {
        stage.run(disruption, claim);
        var condition = stage.claim(claim).conditions().find(ClaimObject.DRIFTED);
        return condition == null || !condition.isTrue() ? null : condition.reason();
    }

    private static String in(String key, String values) {
        return "{key: %s, operator: In, values: [%s]}".formatted(key, values);
    }

    private static String requirements(String... all) {
        return "requirements: [%s]".formatted(String.join(", ", all));
    }

    /// What one requirement of a pool was and becomes, and whether a claim with the label drifts.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kubernetes.io/arch | amd64 | In [amd64] | In [arm64] | true",
                "kubernetes.io/os | '' | '' | In [linux] | true",
                "kubernetes.io/os | linux | In [linux, windows] | In [windows] | true",
                "kubernetes.io/os | linux | In [linux] | In [linux, windows] | false",
                "kubernetes.io/os | linux | In [linux] | Exists [] | false",
                "kubernetes.io/os | linux | In [linux] | DoesNotExist [] | true",
                "test-label | 5 | Gt [2] | Gt [10] | true",
                "test-label | 2 | Lt [5] | Lt [1] | true"
            })
    @Tag("I-DRF-13")
    @Tag("I-DRF-14")
    @Tag("I-DRF-15")
    @Tag("I-DRF-16")
    @Tag("I-DRF-17")
    @Tag("I-DRF-18")
    @Tag("I-DRF-19")
    @Tag("I-DRF-20")
    void aClaimDriftsWhenItsLabelsDoNotMeetTheRequirements(
            String key, String label, String before, String after, boolean isDrifted) {
        var claim = claim("a").ready().label("karpenter.sh/capacity-type", "on-demand");
        stage.with(pool().template(requirements(ON_DEMAND, requirement(key, before))))
                .with(label.isEmpty() ? claim : claim.label(key, label));
        assertThat(drift("a")).isNull();

        stage.with(pool().generation(2).template(requirements(ON_DEMAND, requirement(key, after))));

        assertThat(drift("a")).isEqualTo(isDrifted ? "RequirementsDrifted" : null);
    }

    private static String requirement(String key, String text) {
        if (text.isEmpty()) {
            return ON_DEMAND;
        }
        var parts = text.split(" ", 2);
        return "{key: %s, operator: %s, values: %s}"
                .formatted(key, parts[0], parts[1].replaceAll("\\b(\\d+)\\b", "\"$1\""));
    }

    @Test
    @Tag("I-DRF-21")
    void onlyClaimsThatDoNotMeetTheRequirementsDrift() {
        stage.with(pool().template(requirements(in("kubernetes.io/os", "linux, windows"))))
                .with(claim("a").ready().label("kubernetes.io/os", "linux"))
                .with(claim("b").ready().label("kubernetes.io/os", "windows"));
        assertThat(drift("a")).isNull();
        assertThat(drift("b")).isNull();

        stage.with(pool().generation(2).template(requirements(in("kubernetes.io/os", "linux"))));

        assertThat(drift("a")).isNull();
        assertThat(drift("b")).isEqualTo("RequirementsDrifted");
    }

    private static PoolText changed(String field) {
        var pool = pool().generation(2);
        return switch (field) {
            case "annotations" -> pool.metadata("annotations: {some: note}");
            case "labels" -> pool.metadata("labels: {some: label}");
            case "taints" -> pool.template("taints: [{key: some, effect: NoExecute}]");
            case "startupTaints" ->
                    pool.template("startupTaints: [{key: some, effect: NoExecute}]");
            case "nodeClassRef.name" -> pool.className("other");
            case "expireAfter" -> pool.template("expireAfter: 100m");
            case "terminationGracePeriod" -> pool.template("terminationGracePeriod: 100m");
            default -> throw new IllegalArgumentException(field);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "annotations",
        "labels",
        "taints",
        "startupTaints",
        "nodeClassRef.name",
        "expireAfter",
        "terminationGracePeriod"
    })
    @Tag("I-DRF-22")
    @Tag("I-DRF-23")
    @Tag("I-DRF-24")
    @Tag("I-DRF-25")
    @Tag("I-DRF-26")
    @Tag("I-DRF-27")
    @Tag("I-DRF-28")
    void aClaimDriftsWhenTheTemplateOfItsPoolChanges(String field) {
        var hashes = new HashController(1);
        stage.run(hashes, "default");
        var hash = stage.rig().pool("default").meta().annotation(HASH);
        assertThat(hash).isNotNull();
        stage.with(claim("a").ready().annotation(HASH, hash).annotation(VERSION, "v3"));
        assertThat(drift("a")).isNull();

        stage.with(changed(field).annotation(HASH, hash).annotation(VERSION, "v3"));
        stage.run(hashes, "default");

        assertThat(drift("a")).isEqualTo("NodePoolDrifted");
    }

    private void hashes(PoolText pool, ClaimText claim) {
        stage.with(pool).with(claim.ready());
    }

    @Test
    @Tag("I-DRF-29")
    void aPoolWithoutAHashIsNoDrift() {
        hashes(
                pool().annotation(VERSION, "v3"),
                claim("a").annotation(HASH, "1").annotation(VERSION, "v3"));

        assertThat(drift("a")).isNull();
    }

    @Test
    @Tag("I-DRF-30")
    void aClaimWithoutAHashIsNoDrift() {
        hashes(
                pool().annotation(HASH, "2").annotation(VERSION, "v3"),
                claim("a").annotation(VERSION, "v3"));

        assertThat(drift("a")).isNull();
    }

    @Test
    @Tag("I-DRF-31")
    void hashesOfDifferentVersionsAreNoDrift() {
        hashes(
                pool().annotation(HASH, "2").annotation(VERSION, "v3"),
                claim("a").annotation(HASH, "1").annotation(VERSION, "v2"));

        assertThat(drift("a")).isNull();
    }

    @Test
    @Tag("I-DRF-32")
    void aClaimWithoutAVersionIsNoDrift() {
        hashes(
                pool().annotation(HASH, "2").annotation(VERSION, "v3"),
                claim("a").annotation(HASH, "1"));

        assertThat(drift("a")).isNull();
    }

    @Test
    void aPoolThatChangesCallsItsClaims() {
        stage.with(claim("a").ready()).with(claim("stranger").withoutPool());
        var calls = stage.calls(disruption);

        stage.with(pool().generation(2));

        assertThat(calls).containsExactly(new ObjectName("", "a"));
    }

    @Test
    void aPoolThatCountsItsNodesCallsNobody() {
        stage.with(claim("a").ready());
        var calls = stage.calls(disruption);

        stage.patch(
                ResourceType.NODE_POOL,
                "default",
                Subresource.STATUS,
                Tree.of("status", Tree.of().put("nodes", 7)));

        assertThat(calls).isEmpty();
    }

    @Test
    void aClassThatChangesCallsItsClaims() {
        stage.with(claim("a").ready());
        var calls = stage.calls(disruption);

        stage.rig()
                .apply(
                        """
                        apiVersion: %s
                        kind: %s
                        metadata: {name: default}
                        """
                                .formatted(Rig.NODE_CLASS.apiVersion(), Rig.NODE_CLASS.kind()));

        assertThat(calls).containsExactly(new ObjectName("", "a"));
    }
}
