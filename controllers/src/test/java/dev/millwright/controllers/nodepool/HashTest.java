package dev.millwright.controllers.nodepool;

import static dev.millwright.core.label.AnnotationKeys.NODE_POOL_HASH;
import static dev.millwright.core.label.AnnotationKeys.NODE_POOL_HASH_VERSION;
import static dev.millwright.testing.kit.cluster.PoolManifests.launchedClaim;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.hash.HashController;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The hash by which claims find out that their pool's template has changed.
final class HashTest {

    private static final HashController CONTROLLER = new HashController(1);
    private static final String OLD =
            "annotations: {karpenter.sh/nodepool-hash: \"1\", karpenter.sh/nodepool-hash-version: v2}";
    private static final String CURRENT =
            "annotations: {karpenter.sh/nodepool-hash: \"1\", karpenter.sh/nodepool-hash-version: v3}";

    private static String annotated(String manifest, String annotations) {
        return manifest.contains("metadata: {name: p, generation: 1}")
                ? manifest.replace("generation: 1}", "generation: 1, " + annotations + "}")
                : manifest.replaceFirst("metadata:\n", "metadata:\n  " + annotations + "\n");
    }

    private static @Nullable String hash(Rig rig) {
        return rig.pool("p").meta().annotation(NODE_POOL_HASH);
    }

    private static String hashOf(String manifest) {
        var rig = rig(manifest);
        rig.run(CONTROLLER, "p");
        return String.valueOf(hash(rig));
    }

    @Test
    @Tag("I-HSH-1")
    void aPoolOfAnotherProviderIsLeftAlone() {
        var rig = rig(strangersPool("p"));
        rig.run(CONTROLLER, "p");

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("I-HSH-2")
    void aChangedTemplateHasAnotherHash() {
        var plain = hashOf(pool("p"));
        var tainted =
                hashOf(pool("p", "", "requirements: []\ntaints: [{key: a, effect: NoSchedule}]"));

        assertThat(plain).matches("[0-9]+");
        assertThat(tainted).matches("[0-9]+").isNotEqualTo(plain);
    }

    @Test
    @Tag("I-HSH-3")
    void whatOnlySteersThePoolDoesNotChangeTheHash() {
        var plain = hashOf(pool("p"));
        var steered =
                hashOf(
                        pool(
                                "p",
                                "weight: 5\nlimits: {cpu: 10}\ndisruption: {consolidateAfter: 5m}",
                                "requirements: [{key: kubernetes.io/arch, operator: Exists}]"));

        assertThat(steered).isEqualTo(plain);
    }

    @Test
    @Tag("I-HSH-4")
    void anOldVersionOnThePoolIsBroughtUpToDate() {
        var rig = rig(annotated(pool("p"), OLD));
        rig.run(CONTROLLER, "p");

        assertThat(rig.pool("p").meta().annotation(NODE_POOL_HASH_VERSION)).isEqualTo("v3");
        assertThat(hash(rig)).isEqualTo(rig.pool("p").hash());
    }

    @Test
    @Tag("I-HSH-5")
    void anOldVersionOnThePoolIsBroughtUpToDateOnItsClaims() {
        var rig =
                rig(
                        annotated(pool("p"), OLD),
                        annotated(launchedClaim("a", "p"), OLD),
                        annotated(launchedClaim("b", "other"), OLD));
        rig.run(CONTROLLER, "p");

        assertThat(rig.claim("a").meta().annotation(NODE_POOL_HASH_VERSION)).isEqualTo("v3");
        assertThat(rig.claim("a").meta().annotation(NODE_POOL_HASH))
                .isEqualTo(rig.pool("p").hash());
        assertThat(rig.claim("b").meta().annotation(NODE_POOL_HASH)).isEqualTo("1");
    }

    @Test
    @Tag("I-HSH-6")
    void claimsOfACurrentPoolKeepTheirHash() {
        var rig = rig(annotated(pool("p"), CURRENT), annotated(launchedClaim("a", "p"), CURRENT));
        rig.run(CONTROLLER, "p");

        assertThat(hash(rig)).isEqualTo(rig.pool("p").hash());
        assertThat(rig.claim("a").meta().annotation(NODE_POOL_HASH)).isEqualTo("1");
    }

    @Test
    @Tag("I-HSH-7")
    void aDriftedClaimStaysDrifted() {
        var drifted =
                launchedClaim("a", "p")
                        .replace(
                                "conditions:\n",
                                "conditions:\n  - {type: Drifted, status: \"True\", reason: NodePoolDrifted, lastTransitionTime: \"2026-01-01T11:00:00Z\"}\n");
        var rig = rig(annotated(pool("p"), OLD), annotated(drifted, OLD));
        rig.run(CONTROLLER, "p");

        assertThat(rig.claim("a").meta().annotation(NODE_POOL_HASH_VERSION)).isEqualTo("v3");
        assertThat(rig.claim("a").meta().annotation(NODE_POOL_HASH)).isEqualTo("1");
    }

    @Test
    void thePoolIsNotCurrentBeforeItsClaimsAre() {
        var rig = rig(annotated(pool("p"), OLD), annotated(launchedClaim("a", "p"), OLD));
        rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "out of order"));
        rig.run(CONTROLLER, "p");
        assertThat(rig.pool("p").meta().annotation(NODE_POOL_HASH_VERSION)).isEqualTo("v2");

        rig.run(CONTROLLER, "p");
        assertThat(rig.pool("p").meta().annotation(NODE_POOL_HASH_VERSION)).isEqualTo("v3");
        assertThat(rig.claim("a").meta().annotation(NODE_POOL_HASH_VERSION)).isEqualTo("v3");
    }

    @Test
    void nothingIsWrittenTwice() {
        var rig = rig(pool("p"));
        rig.run(CONTROLLER, "p");
        rig.api().forgetWrites();
        rig.run(CONTROLLER, "p");

        assertThat(rig.api().writes()).isEmpty();
    }
}
