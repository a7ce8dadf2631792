package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Meta;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.http.KubeFront;
import dev.millwright.world.http.WorldThread;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

final class FreezeCommandTest {

    private static final String FREEZE = "millwright.dev/freeze";

    private final Agenda agenda = new Agenda(Instant.parse("2026-01-01T00:00:00Z"));
    private final ApiStore store = new ApiStore(agenda, Chance.of(1));
    private KubeFront front;
    private Path kubeconfig;

    /// One at a time is all a thread of its own would give.
    private static final class InTurn implements WorldThread {
        @Override
        public synchronized <T> T ask(Supplier<T> question) {
            return question.get();
        }
    }

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        front = KubeFront.open(store, agenda, new InTurn(), 0);
        kubeconfig = Files.writeString(directory.resolve("config"), front.kubeconfig());
    }

    @AfterEach
    void close() {
        front.close();
    }

    private CommandRun run(String... arguments) {
        return CommandRun.with(
                "", Map.of("LANG", "C", "KUBECONFIG", kubeconfig.toString()), arguments);
    }

    private void pool(String name) {
        var reference =
                Tree.of("group", "karpenter.kwok.sh")
                        .put("kind", "KWOKNodeClass")
                        .put("name", "default");
        var template = Tree.of("nodeClassRef", reference).putTextList("requirements", List.of());
        var answer =
                store.write(
                        "test",
                        new ApiWrite.Create(
                                ResourceType.NODE_POOL,
                                "",
                                Tree.of("apiVersion", "karpenter.sh/v1")
                                        .put("kind", "NodePool")
                                        .put("metadata", Tree.of("name", name))
                                        .put("spec", Tree.of("template", Tree.of("spec", template)))
                                        .mapping()));
        assertThat(answer.isDone()).as(answer.explain()).isTrue();
    }

    private @Nullable String reason(ResourceType type, String name) {
        var object = store.find(type, new ObjectName("", name));
        return Meta.of(Field.root("", object, new Faults())).annotation(FREEZE);
    }

    private @Nullable String clusterReason() {
        return reason(ResourceType.NAMESPACE, "kube-system");
    }

    @Test
    void theClusterIsFrozenAndReleased() {
        var frozen = run("freeze", "--reason", "release week");

        assertThat(frozen.err()).isEmpty();
        assertThat(frozen.exitCode()).isZero();
        assertThat(frozen.out()).isEqualTo("Namespace kube-system: frozen (release week)\n");
        assertThat(clusterReason()).isEqualTo("release week");

        var released = run("unfreeze");

        assertThat(released.out()).isEqualTo("Namespace kube-system: no longer frozen\n");
        assertThat(clusterReason()).isNull();
    }

    @Test
    void twiceIsTheSameAsOnceAndKeepsTheReason() {
        run("freeze", "--reason", "release week");
        var again = run("freeze");

        assertThat(again.out())
                .isEqualTo("Namespace kube-system: was frozen already (release week)\n");
        assertThat(clusterReason()).isEqualTo("release week");

        run("unfreeze");
        assertThat(run("unfreeze").out()).isEqualTo("Namespace kube-system: was not frozen\n");
    }

    @Test
    void anotherReasonTakesThePlaceOfTheFirst() {
        run("freeze");
        run("freeze", "--reason", "upgrade");

        assertThat(clusterReason()).isEqualTo("upgrade");
    }

    @Test
    void poolsAreFrozenByTheirNames() {
        pool("batch");
        pool("gpu");
        pool("web");
        var run = run("freeze", "--nodepool", "batch,gpu", "-o", "json");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .isEqualToIgnoringWhitespace(
                        """
                        {"objects": [
                          {"kind": "NodePool", "name": "batch", "frozen": true, "changed": true,
                           "reason": "asked for by millwright freeze"},
                          {"kind": "NodePool", "name": "gpu", "frozen": true, "changed": true,
                           "reason": "asked for by millwright freeze"}]}
                        """);
        assertThat(reason(ResourceType.NODE_POOL, "batch")).isNotNull();
        assertThat(reason(ResourceType.NODE_POOL, "web")).isNull();
        assertThat(clusterReason()).isNull();
    }

    @Test
    void whatStaysFrozenIsTold() {
        pool("batch");
        run("freeze", "--nodepool", "batch", "--reason", "mine");
        run("freeze", "--reason", "upgrade");

        assertThat(run("unfreeze").err())
                .contains(
                        "NodePool batch stays frozen by itself (mine); millwright unfreeze --nodepool batch");
        run("freeze", "--reason", "upgrade");
        assertThat(run("unfreeze", "--nodepool", "batch").err())
                .contains("the whole cluster stays frozen (upgrade); millwright unfreeze");
    }

    @Test
    void aPoolThatIsNotThereIsToldWithThoseThatAreAndNothingIsChanged() {
        pool("batch");
        var run = run("freeze", "--nodepool", "batch", "--nodepool", "bacth");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("NodePool bacth: there is none; there is batch");
        assertThat(run.out()).isEmpty();
        assertThat(reason(ResourceType.NODE_POOL, "batch")).isNull();
    }

    @Test
    void aServerThatDoesNotAnswerIsAFailure() {
        front.close();
        var run = run("freeze");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("Namespace kube-system cannot be read: no answer");
    }

    @Test
    void wordsThatAreNoOptionsAreWrongUsage() {
        assertThat(run("freeze", "everything").exitCode()).isEqualTo(2);
    }

    @Test
    void helpShowsAnExample() {
        assertThat(run("freeze", "--help").out()).contains("Examples:", "--reason", "--nodepool");
        assertThat(run("unfreeze", "--help").out()).contains("Examples:", "--nodepool");
    }
}
