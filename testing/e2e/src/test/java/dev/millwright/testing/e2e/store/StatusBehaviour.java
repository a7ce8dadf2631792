package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.meta;
import static dev.millwright.testing.e2e.store.OnServer.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.tree.Trees;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Who writes the spec does not write the status, nor the other way round.
interface StatusBehaviour extends OnServer {

    private static Tree relabelled(String value) {
        return meta(Tree.of("labels", Tree.of("told", value)));
    }

    @Test
    default void aNewPodIsPendingWhateverItSays() {
        var made = create(ResourceType.POD, pod("a").put("status", Tree.of("phase", "Running")));
        assertThat(Trees.text(made, "status", "phase")).isEqualTo("Pending");
        assertThat(Trees.text(made, "status", "qosClass")).isEqualTo("BestEffort");
    }

    @Test
    default void aNewObjectHasNoStatusOfItsOwn() {
        var deployment =
                create(
                        ResourceType.DEPLOYMENT,
                        deployment("a").put("status", Tree.of().put("replicas", 7)));
        assertThat(Trees.mapping(deployment, "status").fields()).isEmpty();
        var pool =
                create(
                        ResourceType.NODE_POOL,
                        nodePool("a").put("status", Tree.of("resources", Tree.of("cpu", "7"))));
        assertThat(Trees.text(pool, "status", "resources", "cpu")).isEmpty();
    }

    @Test
    default void aNodeBringsItsStatusAlong() {
        var made =
                create(
                        ResourceType.NODE,
                        node("a").put("status", Tree.of("capacity", Tree.of("cpu", "7"))));
        assertThat(Trees.text(made, "status", "capacity", "cpu")).isEqualTo("7");
        assertThat(Trees.text(made, "status", "allocatable", "cpu")).isEqualTo("7");
    }

    @Test
    default void aBudgetBeginsWithNothingAllowed() {
        var made = create(ResourceType.POD_DISRUPTION_BUDGET, EvictionBehaviour.budget("a"));
        assertThat(Trees.number(made, "status", "disruptionsAllowed")).isEqualTo(0);
        assertThat(Trees.number(made, "status", "observedGeneration")).isNull();
    }

    @Test
    default void aWriteOfTheObjectLeavesItsStatusAlone() {
        create(ResourceType.NODE, node("a"));
        done(mergeStatus(ResourceType.NODE, "a", Tree.of("status", Tree.of("phase", "Running"))));
        var body =
                Tree.of("spec", Tree.of().put("unschedulable", true))
                        .put("status", Tree.of("phase", "Pending"));
        var after = done(merge(ResourceType.NODE, "a", body));
        assertThat(Trees.isTrue(after, "spec", "unschedulable")).isTrue();
        assertThat(Trees.text(after, "status", "phase")).isEqualTo("Running");

        create(ResourceType.NODE_POOL, nodePool("a"));
        var pool =
                done(
                        merge(
                                ResourceType.NODE_POOL,
                                "a",
                                Tree.of("status", Tree.of("resources", Tree.of("cpu", "7")))));
        assertThat(Trees.text(pool, "status", "resources", "cpu")).isEmpty();
    }

    @Test
    default void aWriteOfTheStatusLeavesTheSpecAlone() {
        create(ResourceType.NODE, node("a"));
        var body =
                Tree.of("spec", Tree.of().put("unschedulable", true))
                        .put("status", Tree.of("phase", "Running"));
        var node = done(mergeStatus(ResourceType.NODE, "a", body));
        assertThat(Trees.isTrue(node, "spec", "unschedulable")).isFalse();
        assertThat(Trees.text(node, "status", "phase")).isEqualTo("Running");

        create(ResourceType.NODE_POOL, nodePool("a"));
        var pool =
                done(
                        mergeStatus(
                                ResourceType.NODE_POOL,
                                "a",
                                Tree.of("spec", Tree.of().put("weight", 7))
                                        .put("status", Tree.of("resources", Tree.of("cpu", "7")))));
        assertThat(Trees.number(pool, "spec", "weight")).isNull();
        assertThat(Trees.text(pool, "status", "resources", "cpu")).isEqualTo("7");
    }

    @Test
    default void theStatusOfACustomResourceIsWrittenAlone() {
        create(ResourceType.NODE_POOL, nodePool("a"));
        var body = relabelled("yes").put("status", Tree.of("resources", Tree.of("cpu", "7")));
        var after = done(mergeStatus(ResourceType.NODE_POOL, "a", body));
        assertThat(Trees.text(after, "metadata", "labels", "told")).isEmpty();
    }

    @Test
    default void withTheStatusOfANodeOrPodItsLabelsMayBeWritten() {
        create(ResourceType.NODE, node("a"));
        var node = done(mergeStatus(ResourceType.NODE, "a", relabelled("yes")));
        assertThat(Trees.text(node, "metadata", "labels", "told")).isEqualTo("yes");
        create(ResourceType.POD, pod("a"));
        var pod = done(mergeStatus(ResourceType.POD, "a", relabelled("yes")));
        assertThat(Trees.text(pod, "metadata", "labels", "told")).isEqualTo("yes");
        create(ResourceType.DEPLOYMENT, deployment("a"));
        var deployment = done(mergeStatus(ResourceType.DEPLOYMENT, "a", relabelled("yes")));
        assertThat(Trees.text(deployment, "metadata", "labels", "told")).isEmpty();
    }

    @Test
    default void aKindWithoutAStatusHasNoPlaceForOne() {
        create(CONFIG_MAP, configMap("a"));
        assertThat(mergeStatus(CONFIG_MAP, "a", Tree.of()).isNotFound()).isTrue();
        create(ResourceType.LEASE, meta(Tree.of("name", "a")));
        assertThat(mergeStatus(ResourceType.LEASE, "a", Tree.of()).isNotFound()).isTrue();
    }

    @Test
    default void conditionsAreMergedByTheirType() {
        runningPod("a", false);
        var other = Tree.of("type", "example.test/gate").put("status", "True").mapping();
        var after =
                done(
                        patch(
                                ResourceType.POD,
                                "a",
                                PatchKind.STRATEGIC,
                                Subresource.STATUS,
                                Tree.of("status", Tree.of().putList("conditions", List.of(other)))
                                        .mapping()));
        assertThat(Trees.list(after, "status", "conditions")).hasSize(2);
        var ready =
                done(
                        patch(
                                ResourceType.POD,
                                "a",
                                PatchKind.STRATEGIC,
                                Subresource.STATUS,
                                running(true).mapping()));
        var conditions = Trees.list(ready, "status", "conditions");
        assertThat(conditions).hasSize(2);
        var changed = OnServer.element(conditions, "type", "Ready");
        assertThat(changed).isNotNull();
        assertThat(changed.text("status")).isEqualTo("True");
    }
}
