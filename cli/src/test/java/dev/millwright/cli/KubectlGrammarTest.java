package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.http.KubeFront;
import dev.millwright.world.http.WorldThread;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Supplier;

/// The analysis commands are told what to look at as kubectl is.
class KubectlGrammarTest {

    @TempDir private Path directory;

    /// One at a time is all a thread of its own would give.
    private static final class InTurn implements WorldThread {
        @Override
        public synchronized <T> T ask(Supplier<T> question) {
            return question.get();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod batch", "pod/batch", "po batch", "po/batch", "pods/batch"})
    void aPodIsNamedInEveryWay(String words) {
        var arguments = ("explain " + words + " -n shop -f -").split(" ");
        var run = CommandRun.reading(Site.in("eu-west-1a").yaml(), arguments);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("Pod shop/batch ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "explain -n shop pod/batch -f -",
                "explain -n shop pod batch -f -",
                "explain -q -n shop -f - po batch",
                "explain --namespace=shop PO/batch -f -",
                "explain -n shop pod/batch -",
                "explain pod -n shop batch -",
                "explain pod/shop/batch -"
            })
    void optionsMayStandBeforeTheObjectAndFilesAfterIt(String words) {
        var run = CommandRun.reading(Site.in("eu-west-1a").yaml(), words.split(" "));

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("Pod shop/batch ");
    }

    @Test
    void aNamespaceCalledLikeAKindIsStillANamespace() {
        var run =
                CommandRun.reading(
                        Site.in("eu-west-1a").yaml(), "explain", "-n", "pod", "po/batch", "-");

        assertThat(run.err()).contains("there is no pod pod/batch; maybe shop/batch");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node/node-a",
                "no node-a",
                "nodeclaim/general-a",
                "nodepool/general",
                "nodepools/general"
            })
    void nodesClaimsAndPoolsAreToo(String words) {
        var arguments = ("explain " + words + " -f -").split(" ");

        assertThat(CommandRun.reading(Site.in("eu-west-1a").yaml(), arguments).exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulate", "plan"})
    void aFileIsAnArgumentAsWell(String command) throws IOException {
        var file = Files.writeString(directory.resolve("a.yaml"), Site.in("eu-west-1a").yaml());
        var run = CommandRun.of(command, "-q", "-o", "json", file.toString());

        assertThat(Site.at(run, "prices/region")).isEqualTo("eu-west-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulate", "plan", "explain nodepool/general"})
    void withoutAFileTheClusterIsRead(String command) throws IOException {
        var agenda = new Agenda(Instant.parse("2026-01-01T00:00:00Z"));
        var store = new ApiStore(agenda, Chance.of(1));
        var pool =
                JsonReader.object(
                        """
                        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"},
                         "spec": {"template": {"spec": {
                           "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                           "requirements": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-west-1a"]}]}}}}
                        """
                                .getBytes(StandardCharsets.UTF_8));
        var written = store.write("test", new ApiWrite.Create(ResourceType.NODE_POOL, "", pool));
        assertThat(written.isDone()).as(written.explain()).isTrue();
        try (var front = KubeFront.open(store, agenda, new InTurn(), 0)) {
            var config = Files.writeString(directory.resolve("config"), front.kubeconfig());
            var run = CommandRun.of((command + " --kubeconfig " + config).split(" "));

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err()).contains("prices of eu-west-1", "EC2NodeClass default");
        }
    }
}
