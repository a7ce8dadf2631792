package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.element;
import static dev.millwright.testing.e2e.store.OnServer.meta;
import static dev.millwright.testing.e2e.store.OnServer.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// Three kinds of patches, and what they may not touch.
interface PatchBehaviour extends OnServer {

    private static Tree taint(String key) {
        return Tree.of("key", key).put("effect", "NoSchedule");
    }

    private static Tree taints(Tree... taints) {
        var list = List.of(taints).stream().map(Tree::mapping).toList();
        return Tree.of("spec", Tree.of().putList("taints", list));
    }

    private static List<String> keys(Value.Mapping node) {
        return Trees.list(node, "spec", "taints").stream()
                .map(each -> Trees.text((Value.Mapping) each, "key"))
                .toList();
    }

    private static List<String> finalizers(Value.Mapping object) {
        return Trees.list(object, "metadata", "finalizers").stream()
                .map(each -> ((Value.Text) each).text())
                .toList();
    }

    private static Tree operation(String op, String path) {
        return Tree.of("op", op).put("path", path);
    }

    @Test
    default void aMergeTakesNullsAwayAndAddsTheRest() {
        create(CONFIG_MAP, configMap("a").put("data", Tree.of("a", "1").put("b", "2")));
        var body =
                Tree.of("data", Tree.of("c", "3").putNothing("a"))
                        .put("metadata", Tree.of("annotations", Tree.of("x/y", "z")));
        var after = done(merge(CONFIG_MAP, "a", body));
        assertThat(after.fields().get("data")).isEqualTo(Tree.of("b", "2").put("c", "3").mapping());
        assertThat(Trees.text(after, "metadata", "annotations", "x/y")).isEqualTo("z");
    }

    @Test
    default void aMergePutsAWholeListInThePlaceOfAnother() {
        create(
                ResourceType.NODE,
                node("a").put("spec", Tree.of().putList("taints", List.of(taint("x").mapping()))));
        var after = done(merge(ResourceType.NODE, "a", taints(taint("y"), taint("z"))));
        assertThat(keys(after)).containsExactly("y", "z");
        var none =
                done(
                        merge(
                                ResourceType.NODE,
                                "a",
                                Tree.of("spec", Tree.of().putNothing("taints"))));
        assertThat(none.fields().get("spec")).isEqualTo(Tree.of().mapping());
    }

    @Test
    default void taintsAreOneListForAStrategicMergeToo() {
        create(ResourceType.NODE, node("a"));
        done(strategic(ResourceType.NODE, "a", taints(taint("x"))));
        var after = done(strategic(ResourceType.NODE, "a", taints(taint("y"))));
        assertThat(keys(after)).containsExactly("y");
    }

    @Test
    default void finalizersAreASetForAStrategicMerge() {
        create(ResourceType.NODE, finalized(node("a"), "x/a"));
        var more = meta(Tree.of().putTextList("finalizers", List.of("x/b", "x/a")));
        assertThat(finalizers(done(strategic(ResourceType.NODE, "a", more))))
                .containsExactlyInAnyOrder("x/a", "x/b");
        var less =
                meta(Tree.of().putTextList("$deleteFromPrimitiveList/finalizers", List.of("x/a")));
        assertThat(finalizers(done(strategic(ResourceType.NODE, "a", less))))
                .containsExactly("x/b");
        var none =
                meta(Tree.of().putTextList("$deleteFromPrimitiveList/finalizers", List.of("x/b")));
        var bare = done(strategic(ResourceType.NODE, "a", none));
        assertThat(Trees.at(bare, "metadata", "finalizers")).isNull();
    }

    @Test
    default void containersAreMergedByTheirNameForAStrategicMerge() {
        create(ResourceType.DEPLOYMENT, deployment("a"));
        var added = Tree.of("name", "d").put("image", "example.test/other:1").mapping();
        var changed = Tree.of("name", "c").put("image", "example.test/image:2").mapping();
        var after = done(strategic(ResourceType.DEPLOYMENT, "a", containers(added, changed)));
        var containers = Trees.list(after, "spec", "template", "spec", "containers");
        assertThat(names(containers)).containsExactly("d", "c");
        var front = Tree.of("name", "e").put("image", "example.test/other:1").mapping();
        var more = done(strategic(ResourceType.DEPLOYMENT, "a", containers(front)));
        assertThat(names(Trees.list(more, "spec", "template", "spec", "containers")))
                .containsExactly("e", "d", "c");
        var kept = element(containers, "name", "c");
        assertThat(kept).isNotNull();
        assertThat(kept.text("image")).isEqualTo("example.test/image:2");
        assertThat(kept.text("terminationMessagePath")).isEqualTo("/dev/termination-log");

        var gone = Tree.of("name", "d").put("$patch", "delete").mapping();
        var less = done(strategic(ResourceType.DEPLOYMENT, "a", containers(gone)));
        assertThat(names(Trees.list(less, "spec", "template", "spec", "containers")))
                .containsExactly("e", "c");
    }

    private static List<String> names(List<Value> elements) {
        return elements.stream().map(each -> Trees.text((Value.Mapping) each, "name")).toList();
    }

    private static Tree containers(Value.Mapping... containers) {
        var spec = Tree.of().putList("containers", List.of(containers));
        return Tree.of("spec", Tree.of("template", Tree.of("spec", spec)));
    }

    @Test
    default void aStrategicMergeCanReplaceAndRetain() {
        create(ResourceType.DEPLOYMENT, deployment("a"));
        var strategy = Tree.of("type", "Recreate").putTextList("$retainKeys", List.of("type"));
        var after =
                done(
                        strategic(
                                ResourceType.DEPLOYMENT,
                                "a",
                                Tree.of("spec", Tree.of("strategy", strategy))));
        assertThat(Trees.mapping(after, "spec", "strategy"))
                .isEqualTo(Tree.of("type", "Recreate").mapping());
        var labels = Tree.of("only", "this").put("$patch", "replace");
        var relabelled =
                done(strategic(ResourceType.DEPLOYMENT, "a", meta(Tree.of("labels", labels))));
        assertThat(Trees.mapping(relabelled, "metadata", "labels"))
                .isEqualTo(Tree.of("only", "this").mapping());
    }

    @Test
    default void ownersAreMergedByTheirUidForAStrategicMerge() {
        var owner = create(CONFIG_MAP, configMap("owner"));
        var other = create(CONFIG_MAP, configMap("other"));
        create(CONFIG_MAP, configMap("a"));
        done(strategic(CONFIG_MAP, "a", CollectionBehaviour.owned(owner)));
        var after = done(strategic(CONFIG_MAP, "a", CollectionBehaviour.owned(other)));
        assertThat(Trees.list(after, "metadata", "ownerReferences")).hasSize(2);
        var gone = Tree.of("uid", OnServer.uid(owner)).put("$patch", "delete").mapping();
        var left =
                done(
                        strategic(
                                CONFIG_MAP,
                                "a",
                                meta(Tree.of().putList("ownerReferences", List.of(gone)))));
        assertThat(Trees.list(left, "metadata", "ownerReferences")).hasSize(1);
    }

    @Test
    default void customResourcesKnowNoStrategicMerge() {
        create(ResourceType.NODE_POOL, nodePool("a"));
        refused(
                strategic(ResourceType.NODE_POOL, "a", meta(Tree.of("labels", Tree.of("a", "b")))),
                415,
                "UnsupportedMediaType");
    }

    @Test
    default void operationsAreDoneOneAfterAnother() {
        create(CONFIG_MAP, configMap("a"));
        var after =
                done(
                        json(
                                CONFIG_MAP,
                                "a",
                                operation("test", "/data/a").put("value", "1"),
                                operation("add", "/data/b").put("value", "2"),
                                operation("replace", "/data/a").put("value", "3"),
                                operation("copy", "/data/c").put("from", "/data/b"),
                                operation("move", "/data/d").put("from", "/data/a"),
                                operation("remove", "/data/b")));
        assertThat(after.fields().get("data")).isEqualTo(Tree.of("c", "2").put("d", "3").mapping());
    }

    @Test
    default void operationsReachIntoLists() {
        create(
                ResourceType.NODE,
                node("a").put("spec", Tree.of().putList("taints", List.of(taint("x").mapping()))));
        var before = keys(read(ResourceType.NODE, "a")).size();
        var added =
                done(
                        json(
                                ResourceType.NODE,
                                "a",
                                operation("add", "/spec/taints/-").put("value", taint("y")),
                                operation("add", "/spec/taints/0").put("value", taint("w"))));
        assertThat(keys(added)).hasSize(before + 2).startsWith("w").endsWith("y");
        var less = done(json(ResourceType.NODE, "a", operation("remove", "/spec/taints/0")));
        assertThat(keys(less)).hasSize(before + 1).doesNotContain("w");
    }

    @Test
    default void keysWithSlashesAreEscaped() {
        create(CONFIG_MAP, configMap("a"));
        done(merge(CONFIG_MAP, "a", meta(Tree.of("labels", Tree.of("x/y", "1")))));
        var after =
                done(
                        json(
                                CONFIG_MAP,
                                "a",
                                operation("replace", "/metadata/labels/x~1y").put("value", "2")));
        assertThat(Trees.text(after, "metadata", "labels", "x/y")).isEqualTo("2");
    }

    @Test
    default void aTestThatFailsRefusesTheWholePatch() {
        var made = create(CONFIG_MAP, configMap("a"));
        var answer =
                json(
                        CONFIG_MAP,
                        "a",
                        operation("add", "/data/b").put("value", "2"),
                        operation("test", "/data/a").put("value", "other"));
        refused(answer, 422, "Invalid");
        assertThat(read(CONFIG_MAP, "a")).isEqualTo(made);
    }

    @Test
    default void anOperationOnWhatIsNotThereIsRefused() {
        create(CONFIG_MAP, configMap("a"));
        refused(json(CONFIG_MAP, "a", operation("remove", "/data/none")), 422, "Invalid");
        refused(
                json(CONFIG_MAP, "a", operation("add", "/none/a").put("value", "x")),
                422,
                "Invalid");
    }

    @Test
    default void aReplacedFieldNeedNotBeThereBefore() {
        create(CONFIG_MAP, configMap("a"));
        var after =
                done(json(CONFIG_MAP, "a", operation("replace", "/data/none").put("value", "x")));
        assertThat(Trees.text(after, "data", "none")).isEqualTo("x");
    }

    @Test
    default void aTestOfTheVersionIsALock() {
        var made = create(CONFIG_MAP, configMap("a"));
        var version = Trees.meta(made, "resourceVersion");
        var lock = operation("test", "/metadata/resourceVersion").put("value", version);
        var change = operation("replace", "/data/a").put("value", "2");
        done(json(CONFIG_MAP, "a", lock, change));
        refused(json(CONFIG_MAP, "a", lock, change), 422, "Invalid");
    }

    @Test
    default void aPatchOfTheWrongShapeIsRefused() {
        create(CONFIG_MAP, configMap("a"));
        var list = Tree.list(List.of());
        refused(patch(CONFIG_MAP, "a", PatchKind.MERGE, Subresource.NONE, list), 400, "BadRequest");
        refused(
                patch(CONFIG_MAP, "a", PatchKind.JSON, Subresource.NONE, Tree.of().mapping()),
                400,
                "BadRequest");
    }

    @Test
    default void nothingOfANullIsStored() {
        var made =
                create(
                        ResourceType.NODE,
                        node("a")
                                .put(
                                        "spec",
                                        Tree.of().putNothing("providerID").putNothing("taints")));
        assertThat(Trees.at(made, "spec", "providerID")).isNull();
    }

    @Test
    default void thePlaceOfAPodIsNotPatched() {
        create(ResourceType.POD, pod("a"));
        refused(
                merge(ResourceType.POD, "a", Tree.of("spec", Tree.of("nodeName", "x"))),
                422,
                "Invalid");
    }

    @Test
    default void aPodMayTolerateMoreAndRunAnotherImage() {
        var made = create(ResourceType.POD, pod("a"));
        var more = new ArrayList<>(Trees.list(made, "spec", "tolerations"));
        more.add(Tree.of("key", "x").put("operator", "Exists").mapping());
        var tolerant =
                done(
                        merge(
                                ResourceType.POD,
                                "a",
                                Tree.of("spec", Tree.of().putList("tolerations", more))));
        assertThat(OnServer.generation(tolerant)).isEqualTo(2);
        refused(
                merge(
                        ResourceType.POD,
                        "a",
                        Tree.of("spec", Tree.of().putList("tolerations", List.of()))),
                422,
                "Invalid");
        var image = Tree.of("name", "c").put("image", "example.test/image:2").mapping();
        done(
                strategic(
                        ResourceType.POD,
                        "a",
                        Tree.of("spec", Tree.of().putList("containers", List.of(image)))));
    }

    @Test
    default void theProviderOfANodeStays() {
        create(ResourceType.NODE, node("a"));
        done(merge(ResourceType.NODE, "a", Tree.of("spec", Tree.of("providerID", "x://1"))));
        refused(
                merge(ResourceType.NODE, "a", Tree.of("spec", Tree.of("providerID", "x://2"))),
                422,
                "Invalid");
    }
}
