package dev.millwright.capi.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.port.ApiSecrets;
import dev.millwright.capi.workspace.Inputs;
import dev.millwright.capi.workspace.Inputs.Source.FluxArtifact;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.InstantSource;

/// Reads for which the chart has a right and that no test on an API server comes to.
final class RareReadsTest {

    private static final String FLUX = "source.toolkit.fluxcd.io";

    private final FakeApi api = new FakeApi(InstantSource.system());

    @ParameterizedTest
    @CsvSource({"GitRepository, gitrepositories", "OCIRepository, ocirepositories"})
    void aModuleThatFluxFetchedIsReadFromItsSource(String kind, String plural) {
        api.put(
                new ResourceType(FLUX, "v1", plural, kind, true),
                Tree.of("apiVersion", FLUX + "/v1")
                        .put("kind", kind)
                        .put("metadata", Tree.of("name", "modules").put("namespace", "team-a"))
                        .put("status", Tree.of("artifact", Tree.of("url", "http://flux/modules")))
                        .mapping());
        var inputs = new ApiInputs(api, new ApiSecrets(api), null);

        var answer = inputs.read(new FluxArtifact(kind, new ObjectName("team-a", "modules")));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Inputs.Answer.Found.class,
                        found ->
                                assertThat(new String(found.bytes(), UTF_8))
                                        .isEqualTo("http://flux/modules"));
    }

    @Test
    void aLockIsHeldByNobodyOnceItsPodIsGone() {
        var pod = new ObjectName("capt-system", "manager-1");
        api.put(
                ResourceType.POD,
                Tree.of("apiVersion", "v1")
                        .put("kind", "Pod")
                        .put(
                                "metadata",
                                Tree.of("name", pod.name()).put("namespace", "capt-system"))
                        .mapping());
        var cluster = new ClusterState(api);

        assertThat(cluster.isPodGone("capt-system", "manager-1")).isFalse();
        api.vanish(ResourceType.POD, pod);
        assertThat(cluster.isPodGone("capt-system", "manager-1")).isTrue();
    }
}
