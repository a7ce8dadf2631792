package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.uid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What becomes of objects whose owners go.
interface CollectionBehaviour extends OnServer {

    /// The metadata of something owned by these.
    static Tree owned(Value.Mapping... owners) {
        var references = List.of(owners).stream().map(CollectionBehaviour::reference).toList();
        return Tree.of("metadata", Tree.of().putList("ownerReferences", references));
    }

    private static Value.Mapping reference(Value.Mapping owner) {
        return Tree.of("apiVersion", Trees.text(owner, "apiVersion"))
                .put("kind", Trees.text(owner, "kind"))
                .put("name", Trees.meta(owner, "name"))
                .put("uid", uid(owner))
                .mapping();
    }

    private void createOwned(String name, Value.Mapping... references) {
        create(
                CONFIG_MAP,
                Tree.of(
                        "metadata",
                        Tree.of("name", name).putList("ownerReferences", List.of(references))));
    }

    private void sees(String what, String name, boolean isThere) {
        server().eventually(
                        what,
                        () -> api().read(CONFIG_MAP, in(name)),
                        answer -> answer.isNotFound() != isThere);
    }

    @Test
    default void whatIsOwnedGoesAfterItsOwner() {
        var owner = create(CONFIG_MAP, configMap("owner"));
        createOwned("a", reference(owner));
        var middle = read(CONFIG_MAP, "a");
        createOwned("b", reference(middle));
        done(delete(CONFIG_MAP, "owner"));
        sees("the owned is collected", "a", false);
        sees("and what it owned", "b", false);
    }

    @Test
    default void whatIsOwnedByNobodyWhoEverWasIsCollected() {
        var owner = create(CONFIG_MAP, configMap("owner"));
        var stranger =
                Trees.with(
                        reference(owner), "uid", Tree.text("9b1c1c1e-0000-4000-8000-000000000000"));
        createOwned("a", stranger);
        sees("the orphan is collected", "a", false);
        assertThat(api().read(CONFIG_MAP, in("owner")).isDone()).isTrue();
    }

    @Test
    default void oneOwnerOfTwoIsEnough() {
        var first = create(CONFIG_MAP, configMap("first"));
        var second = create(CONFIG_MAP, configMap("second"));
        createOwned("a", reference(first), reference(second));
        done(delete(CONFIG_MAP, "first"));
        server().eventually(
                        "the lost owner is forgotten",
                        () ->
                                Trees.list(read(CONFIG_MAP, "a"), "metadata", "ownerReferences")
                                        .size(),
                        count -> count == 1);
        done(delete(CONFIG_MAP, "second"));
        sees("with the last owner it goes", "a", false);
    }

    @Test
    default void aCustomResourceOwnsToo() {
        var pool = create(ResourceType.NODE_POOL, nodePool("a"));
        createOwned("a", reference(pool));
        done(delete(ResourceType.NODE_POOL, "a"));
        sees("the owned is collected", "a", false);
    }

    @Test
    default void finalizersHoldWhatIsCollected() {
        var owner = create(CONFIG_MAP, configMap("owner"));
        createOwned("a", reference(owner));
        done(
                merge(
                        CONFIG_MAP,
                        "a",
                        Tree.of("metadata", Tree.of().putTextList("finalizers", List.of("x/a")))));
        done(delete(CONFIG_MAP, "owner"));
        server().eventually(
                        "it is marked",
                        () -> Trees.meta(read(CONFIG_MAP, "a"), "deletionTimestamp"),
                        at -> !at.isEmpty());
    }

    @Test
    default void anOwnerInTheForegroundGoesAfterWhatBlocksIt() {
        var owner = create(CONFIG_MAP, finalized(configMap("owner"), "foregroundDeletion"));
        var blocking =
                Trees.with(
                        reference(owner),
                        "blockOwnerDeletion",
                        new Value.Flag(Position.NOWHERE, true));
        createOwned("a", blocking);
        done(
                merge(
                        CONFIG_MAP,
                        "a",
                        Tree.of("metadata", Tree.of().putTextList("finalizers", List.of("x/a")))));
        done(delete(CONFIG_MAP, "owner"));
        server().eventually(
                        "what blocks is deleted first",
                        () -> Trees.meta(read(CONFIG_MAP, "a"), "deletionTimestamp"),
                        at -> !at.isEmpty());
        assertThat(api().read(CONFIG_MAP, in("owner")).isDone()).isTrue();
        done(merge(CONFIG_MAP, "a", Tree.of("metadata", Tree.of().putNothing("finalizers"))));
        sees("the owner goes", "owner", false);
    }

    @Test
    default void whatIsOrphanedStays() {
        var owner = create(CONFIG_MAP, finalized(configMap("owner"), "orphan"));
        createOwned("a", reference(owner));
        done(delete(CONFIG_MAP, "owner"));
        sees("the owner goes", "owner", false);
        ApiAnswer left = api().read(CONFIG_MAP, in("a"));
        assertThat(Trees.list(done(left), "metadata", "ownerReferences")).isEmpty();
    }
}
