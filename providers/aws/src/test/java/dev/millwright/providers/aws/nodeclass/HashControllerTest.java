package dev.millwright.providers.aws.nodeclass;

import static dev.millwright.providers.aws.nodeclass.NodeClassKeys.HASH;
import static dev.millwright.providers.aws.nodeclass.NodeClassKeys.HASH_VERSION;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.Meta;
import dev.millwright.providers.aws.controllers.nodeclass.hash.ClassHashController;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Objects;

/// The hash by which claims find out that their class has changed.
@Tag("AWS-B6")
final class HashControllerTest {

    private static final String PUBLISHED = "2608468723537941485";

    private final Rig rig = new Rig(Ec2NodeClass.TYPE);
    private final ClassHashController controller =
            new ClassHashController(rig.classKind(), "test-ca-bundle");

    private void applyClass(String annotations) {
        rig.apply(
                "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\n"
                        + ClassText.PUBLISHED
                                .yaml()
                                .replace(
                                        "{name: default}",
                                        "{name: default, annotations: {%s}}"
                                                .formatted(annotations)));
    }

    private void applyClaim(String name, String version, String nodeClass, String status) {
        rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodeClaim
                metadata:
                  name: %s
                  annotations: {%s: "1", %s: %s}
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: %s}
                  requirements: []
                status: %s
                """
                        .formatted(name, HASH, HASH_VERSION, version, nodeClass, status));
    }

    private void run() {
        rig.run(controller, "default");
    }

    private Meta ofClass() {
        return Objects.requireNonNull(
                        rig.view().cache(rig.classKind()).find(new ObjectName("", "default")))
                .meta();
    }

    private Meta ofClaim(String name) {
        return rig.claim(name).meta();
    }

    @Test
    void aClassGetsItsHashAndTheVersionOfTheRecipe() {
        applyClass("");

        run();

        assertThat(ofClass().annotation(HASH)).isEqualTo(PUBLISHED);
        assertThat(ofClass().annotation(HASH_VERSION)).isEqualTo("v5");
    }

    @Test
    void nothingIsWrittenTwice() {
        applyClass("");
        run();
        var writes = rig.api().writes().size();

        run();

        assertThat(rig.api().writes()).hasSize(writes);
    }

    @Test
    void aChangedClassGetsAnotherHashAndItsClaimsKeepTheirs() {
        applyClass("%s: '1', %s: v5".formatted(HASH, HASH_VERSION));
        applyClaim("old", "v4", "default", "{}");
        applyClaim("new", "v5", "default", "{}");

        run();

        assertThat(ofClass().annotation(HASH)).isEqualTo(PUBLISHED);
        assertThat(ofClaim("old").annotation(HASH)).isEqualTo("1");
        assertThat(ofClaim("old").annotation(HASH_VERSION)).isEqualTo("v4");
        assertThat(ofClaim("new").annotation(HASH)).isEqualTo("1");
    }

    @Test
    void withANewRecipeClaimsAreWrittenAnewButForThoseThatDrifted() {
        var drifted =
                "{conditions: [{type: Drifted, status: 'True', reason: Drifted, message: '',"
                        + " lastTransitionTime: '2026-01-01T00:00:00Z'}]}";
        applyClass("%s: '1', %s: v4".formatted(HASH, HASH_VERSION));
        applyClaim("plain", "v4", "default", "{}");
        applyClaim("drifted", "v4", "default", drifted);
        applyClaim("current", "v5", "default", "{}");
        applyClaim("other", "v4", "another", "{}");

        run();

        assertThat(ofClass().annotation(HASH_VERSION)).isEqualTo("v5");
        assertThat(ofClaim("plain").annotation(HASH)).isEqualTo(PUBLISHED);
        assertThat(ofClaim("plain").annotation(HASH_VERSION)).isEqualTo("v5");
        assertThat(ofClaim("drifted").annotation(HASH)).isEqualTo("1");
        assertThat(ofClaim("drifted").annotation(HASH_VERSION)).isEqualTo("v5");
        assertThat(ofClaim("current").annotation(HASH)).isEqualTo("1");
        assertThat(ofClaim("other").annotation(HASH)).isEqualTo("1");
        assertThat(ofClaim("other").annotation(HASH_VERSION)).isEqualTo("v4");
    }

    @Test
    void aClassThatIsGoneIsLeftAlone() {
        run();

        assertThat(rig.api().writes()).isEmpty();
    }
}
