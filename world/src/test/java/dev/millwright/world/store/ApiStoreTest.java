package dev.millwright.world.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.kind.Kinds;
import dev.millwright.world.time.Agenda;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// What those who live beside the store rely on. How it answers its clients is proved by the suite
/// that a real API server passes too, in `testing/e2e`.
final class ApiStoreTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final ResourceType MAP = Kinds.CONFIG_MAP;

    private final Agenda agenda = new Agenda(START);
    private final ApiStore store = new ApiStore(agenda, Chance.of(1));

    private static Tree map(String name) {
        return Tree.of("metadata", Tree.of("name", name)).put("data", Tree.of("a", "1"));
    }

    private static Tree pod(String name, String node) {
        var container = Tree.of("name", "c").put("image", "i:1").mapping();
        var spec = Tree.of().putList("containers", List.of(container));
        return Tree.of("metadata", Tree.of("name", name))
                .put("spec", spec.putUnlessEmpty("nodeName", node));
    }

    private static Value.Mapping done(ApiAnswer answer) {
        assertThat(answer).as(answer.explain()).isInstanceOf(ApiAnswer.Done.class);
        return ((ApiAnswer.Done) answer).object();
    }

    private Value.Mapping create(ResourceType type, Tree body) {
        var namespace = type.isNamespaced() ? "default" : "";
        return done(store.write("test", new ApiWrite.Create(type, namespace, body.mapping())));
    }

    private Value.Mapping merge(ResourceType type, String name, Tree body) {
        return done(
                store.write(
                        "test",
                        new ApiWrite.Patch(
                                type,
                                in(name),
                                PatchKind.MERGE,
                                Subresource.NONE,
                                body.mapping())));
    }

    private static ObjectName in(String name) {
        return new ObjectName("default", name);
    }

    private static List<String> names(Iterable<Value.Mapping> objects) {
        var names = new ArrayList<String>();
        objects.forEach(each -> names.add(Trees.meta(each, "name")));
        return names;
    }

    @Test
    void everybodyIsHandedTheSameTree() {
        var told = new ArrayList<Value.Mapping>();
        store.listen((_, _, _, after) -> told.add(Objects.requireNonNull(after)));
        var made = create(MAP, map("a"));
        assertThat(store.find(MAP, in("a"))).isSameAs(made);
        assertThat(store.all(MAP).getFirst()).isSameAs(made);
        assertThat(done(store.read(MAP, in("a")))).isSameAs(made);
        assertThat(told.getFirst()).isSameAs(made);
        var page = (ListAnswer.Page) store.list(MAP, ListQuery.all(0));
        assertThat(page.items().getFirst()).isSameAs(made);
    }

    @Test
    void whatAPatchDoesNotTouchStaysTheSameTree() {
        var before = create(ResourceType.POD, pod("a", ""));
        var after =
                merge(
                        ResourceType.POD,
                        "a",
                        Tree.of("metadata", Tree.of("labels", Tree.of("a", "b"))));
        assertThat(after.fields().get("spec")).isSameAs(before.fields().get("spec"));
        assertThat(after.fields().get("status")).isSameAs(before.fields().get("status"));
    }

    @Test
    void theListOfATypeIsTheSameUntilSomethingChanges() {
        create(MAP, map("a"));
        var first = store.all(MAP);
        assertThat(store.all(MAP)).isSameAs(first);
        create(MAP, map("b"));
        assertThat(store.all(MAP)).isNotSameAs(first).hasSize(2);
        assertThat(first).hasSize(1);
    }

    @Test
    void listenersAreToldWhoWroteWhatInOrder() {
        var told = new ArrayList<String>();
        store.listen(
                (by, type, before, after) ->
                        told.add("%s %s %s %s".formatted(by, type, before != null, after != null)));
        store.write("one", new ApiWrite.Create(MAP, "default", map("a").mapping()));
        store.write(
                "two",
                new ApiWrite.Patch(
                        MAP,
                        in("a"),
                        PatchKind.MERGE,
                        Subresource.NONE,
                        Tree.of("data", Tree.of("a", "2")).mapping()));
        store.write("three", new ApiWrite.Delete(MAP, in("a"), null, null));
        assertThat(told)
                .containsExactly(
                        "one configmaps false true",
                        "two configmaps true true",
                        "three configmaps true false");
    }

    @Test
    void aListenerMustNotWrite() {
        store.listen((_, _, _, _) -> create(MAP, map("b")));
        assertThatThrownBy(() -> create(MAP, map("a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("agenda");
        assertThat(store.find(MAP, in("b"))).isNull();
    }

    @Test
    void theSameSeedGivesTheSameNamesAndUids() {
        var other = new ApiStore(new Agenda(START), Chance.of(1));
        var body = Tree.of("metadata", Tree.of("generateName", "a-")).mapping();
        var write = new ApiWrite.Create(MAP, "default", body);
        assertThat(JsonWriter.text(done(store.write("test", write))))
                .isEqualTo(JsonWriter.text(done(other.write("test", write))));
    }

    @Test
    void changesAreToldInPortions() {
        var from = store.version();
        create(MAP, map("a"));
        create(ResourceType.POD, pod("p", ""));
        create(MAP, map("b"));
        create(MAP, map("c"));
        var first = (Changes.Events) store.changesAfter(MAP, from, 2);
        assertThat(first.events()).hasSize(2);
        var second = (Changes.Events) store.changesAfter(MAP, first.upTo(), 2);
        assertThat(second.events()).hasSize(1);
        assertThat(second.upTo()).isEqualTo(store.version());
        var none = (Changes.Events) store.changesAfter(MAP, second.upTo(), 2);
        assertThat(none.events()).isEmpty();
    }

    @Test
    void aChangeKnowsWhatWasBefore() {
        var made = create(MAP, map("a"));
        store.write("test", new ApiWrite.Delete(MAP, in("a"), null, null));
        var changes = (Changes.Events) store.changesAfter(MAP, store.version() - 1, 9);
        var event = changes.events().getFirst();
        assertThat(event.before()).isSameAs(made);
        assertThat(event.told()).isInstanceOf(WatchEvent.Removed.class);
        assertThat(Trees.meta(event.object(), "resourceVersion"))
                .isEqualTo(Long.toString(event.version()));
    }

    @Test
    void aForgottenHistoryExpiresWatchesAndPages() {
        create(MAP, map("a"));
        var from = store.version();
        create(MAP, map("b"));
        var page = (ListAnswer.Page) store.list(MAP, ListQuery.all(1));
        store.forget(MAP);
        assertThat(store.changesAfter(MAP, from, 9)).isEqualTo(new Changes.Expired());
        assertThat(store.changesAfter(MAP, store.version(), 9)).isInstanceOf(Changes.Events.class);
        assertThat(store.list(MAP, ListQuery.all(1).next(page.continueToken())))
                .isInstanceOf(ListAnswer.Expired.class);
        assertThat(store.changesAfter(ResourceType.POD, from, 9))
                .isInstanceOf(Changes.Events.class);
    }

    @Test
    void historyIsBounded() {
        create(MAP, map("a"));
        var from = store.version();
        IntStream.rangeClosed(0, Shelf.HISTORY_MAX)
                .forEach(i -> merge(MAP, "a", Tree.of("data", Tree.of("a", Integer.toString(-i)))));
        assertThat(store.changesAfter(MAP, from, 9)).isEqualTo(new Changes.Expired());
        var late = store.version() - 5;
        assertThat(((Changes.Events) store.changesAfter(MAP, late, 9)).events()).hasSize(5);
    }

    @Test
    void podsAreFoundByTheirNode() {
        create(ResourceType.POD, pod("b", "n"));
        create(ResourceType.POD, pod("a", "n"));
        var free = create(ResourceType.POD, pod("c", ""));
        assertThat(names(store.podsOn("n"))).containsExactly("a", "b");
        done(store.bind("test", in("c"), Trees.meta(free, "uid"), "n"));
        assertThat(names(store.podsOn("n"))).containsExactly("a", "b", "c");
        done(store.remove("test", ResourceType.POD, in("a"), ""));
        assertThat(names(store.podsOn("n"))).containsExactly("b", "c");
        assertThat(store.podsOn("none")).isEmpty();
    }

    @Test
    void objectsAreFoundByTheirNamespace() {
        create(MAP, map("a"));
        var other = new ApiWrite.Create(MAP, "default-2", map("b").mapping());
        done(store.write("test", other));
        assertThat(names(store.in(MAP, "default"))).containsExactly("a");
        assertThat(names(store.in(MAP, "default-2"))).containsExactly("b");
    }

    @Test
    void whereAValueStoodInAFileIsForgotten() {
        var fields = new LinkedHashMap<String, Value>();
        fields.put("a", new Value.Text(new Position("file", 7, 1), "1"));
        var data = new Value.Mapping(new Position("file", 6, 1), fields);
        var made = create(MAP, map("a").put("data", data));
        assertThat(made.fields().get("data")).isEqualTo(Tree.of("a", "1").mapping());
    }

    @Test
    void eventsAreForgottenAfterAnHour() {
        create(ResourceType.EVENT, Tree.of("metadata", Tree.of("name", "a")));
        create(ResourceType.EVENT, Tree.of("metadata", Tree.of("name", "b")));
        agenda.runUntil(START.plus(Duration.ofMinutes(50)));
        merge(ResourceType.EVENT, "b", Tree.of().put("count", 2));
        agenda.runUntil(START.plus(Duration.ofMinutes(70)));
        create(ResourceType.EVENT, Tree.of("metadata", Tree.of("name", "c")));
        assertThat(names(store.all(ResourceType.EVENT))).containsExactly("b", "c");
    }

    @Test
    void everyClusterBeginsWithItsNamespaces() {
        assertThat(names(store.all(ResourceType.NAMESPACE)))
                .containsExactly("default", "kube-node-lease", "kube-public", "kube-system");
    }

    @Test
    void anObjectThatIsPutInPlaceOfAnotherKeepsItsStatus() {
        var made = create(ResourceType.POD, pod("a", ""));
        var label =
                Tree.of("labels", Tree.of("a", "b")).put("name", "a").put("namespace", "default");
        var wanted = Trees.without(Trees.with(made, "metadata", label.mapping()), "status");
        var after = done(store.replace("test", ResourceType.POD, wanted, Subresource.NONE));
        assertThat(Trees.text(after, "status", "phase")).isEqualTo("Pending");
        assertThat(Trees.meta(after, "uid")).isEqualTo(Trees.meta(made, "uid"));
        assertThat(Trees.text(after, "metadata", "labels", "a")).isEqualTo("b");
    }
}
