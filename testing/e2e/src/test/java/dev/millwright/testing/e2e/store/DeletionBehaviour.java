package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.generation;
import static dev.millwright.testing.e2e.store.OnServer.meta;
import static dev.millwright.testing.e2e.store.OnServer.refused;
import static dev.millwright.testing.e2e.store.OnServer.uid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// How objects go: at once, with their last finalizer, or when a kubelet has stopped them.
interface DeletionBehaviour extends OnServer {

    private static @Nullable Long grace(Value.Mapping object) {
        return Trees.number(object, "metadata", "deletionGracePeriodSeconds");
    }

    private static Instant end(Value.Mapping object) {
        return Instant.parse(Trees.meta(object, "deletionTimestamp"));
    }

    private static Tree unfinalized() {
        return meta(Tree.of().putNothing("finalizers"));
    }

    @Test
    default void anObjectWithoutFinalizersGoesAtOnce() {
        create(CONFIG_MAP, configMap("a"));
        var answer = done(delete(CONFIG_MAP, "a"));
        assertThat(answer.text("kind")).isEqualTo("Status");
        assertThat(answer.text("status")).isEqualTo("Success");
        assertGone(CONFIG_MAP, "a");
    }

    @Test
    default void aDeletedPodIsToldAsItWas() {
        create(ResourceType.POD, pod("a"));
        assertThat(done(delete(ResourceType.POD, "a")).text("kind")).isEqualTo("Pod");
    }

    @Test
    default void onlyTheObjectOfTheNamedUidIsDeleted() {
        var made = create(CONFIG_MAP, configMap("a"));
        refused(
                delete(CONFIG_MAP, "a", "9b1c1c1e-0000-4000-8000-000000000000", null),
                409,
                "Conflict");
        done(delete(CONFIG_MAP, "a", uid(made), null));
    }

    @Test
    default void anObjectWithFinalizersIsMarkedAndStays() {
        create(ResourceType.NODE_POOL, finalized(nodePool("a"), "x/a", "x/b"));
        var marked = done(delete(ResourceType.NODE_POOL, "a"));
        assertThat(grace(marked)).isEqualTo(0);
        assertThat(Trees.meta(marked, "deletionTimestamp")).isNotEmpty();
        assertThat(generation(marked)).isEqualTo(2);

        assertThat(done(delete(ResourceType.NODE_POOL, "a"))).isEqualTo(marked);
        var less = meta(Tree.of().putTextList("finalizers", List.of("x/b")));
        var left = done(merge(ResourceType.NODE_POOL, "a", less));
        assertThat(end(left)).isEqualTo(end(marked));
        assertThat(generation(left)).isEqualTo(2);
    }

    @Test
    default void anObjectGoesWithItsLastFinalizer() {
        create(ResourceType.NODE, finalized(node("a"), "x/a"));
        done(delete(ResourceType.NODE, "a"));
        var last = done(merge(ResourceType.NODE, "a", unfinalized()));
        assertThat(last.text("kind")).isEqualTo("Node");
        assertGone(ResourceType.NODE, "a");
        refused(merge(ResourceType.NODE, "a", unfinalized()), 404, "NotFound");
    }

    @Test
    default void whatIsGoingTakesNoNewFinalizers() {
        create(ResourceType.NODE_POOL, finalized(nodePool("a"), "x/a"));
        done(delete(ResourceType.NODE_POOL, "a"));
        var more = meta(Tree.of().putTextList("finalizers", List.of("x/a", "x/b")));
        refused(merge(ResourceType.NODE_POOL, "a", more), 422, "Invalid");
        done(merge(ResourceType.NODE_POOL, "a", meta(Tree.of("labels", Tree.of("a", "b")))));
    }

    @Test
    default void nobodyTakesADeletionBack() {
        create(ResourceType.NODE, finalized(node("a"), "x/a"));
        var marked = done(delete(ResourceType.NODE, "a"));
        var back = meta(Tree.of().putNothing("deletionTimestamp").put("labels", Tree.of("a", "b")));
        assertThat(end(done(merge(ResourceType.NODE, "a", back)))).isEqualTo(end(marked));
    }

    @Test
    default void aPodWithoutANodeGoesAtOnce() {
        create(ResourceType.POD, pod("a"));
        done(delete(ResourceType.POD, "a"));
        assertGone(ResourceType.POD, "a");
    }

    @Test
    default void aPodOnANodeWaitsForItsKubelet() {
        boundPod("a");
        var marked = done(delete(ResourceType.POD, "a"));
        assertThat(grace(marked)).isEqualTo(30);
        assertThat(generation(marked)).isEqualTo(2);
        assertThat(read(ResourceType.POD, "a")).isEqualTo(marked);
        assertThat(Trees.meta(marked, "deletionTimestamp")).isNotEmpty();
    }

    @Test
    default void aPodStatesItsOwnGrace() {
        var spec = podSpec().put("nodeName", "nowhere").put("terminationGracePeriodSeconds", 300);
        create(ResourceType.POD, pod("a").put("spec", spec));
        assertThat(grace(done(delete(ResourceType.POD, "a")))).isEqualTo(300);
    }

    @Test
    default void whoDeletesAPodMayStateAnotherGrace() {
        boundPod("a");
        assertThat(grace(done(delete(ResourceType.POD, "a", null, 90L)))).isEqualTo(90);
    }

    @Test
    default void aSecondDeletionCanOnlyShortenTheFirst() {
        boundPod("a");
        var first = done(delete(ResourceType.POD, "a", null, 600L));
        assertThat(done(delete(ResourceType.POD, "a", null, 900L))).isEqualTo(first);
        assertThat(done(delete(ResourceType.POD, "a"))).isEqualTo(first);
        var shorter = done(delete(ResourceType.POD, "a", null, 300L));
        assertThat(grace(shorter)).isEqualTo(300);
        assertThat(Duration.between(end(shorter), end(first))).isEqualTo(Duration.ofMinutes(5));
        assertThat(generation(shorter)).isEqualTo(2);
    }

    @Test
    default void aPodGoesWhenItsKubeletSaysSo() {
        boundPod("a");
        var marked = done(delete(ResourceType.POD, "a"));
        done(delete(ResourceType.POD, "a", uid(marked), 0L));
        assertGone(ResourceType.POD, "a");
    }

    @Test
    default void aPodThatHasEndedGoesAtOnce() {
        boundPod("a");
        done(mergeStatus(ResourceType.POD, "a", Tree.of("status", Tree.of("phase", "Succeeded"))));
        done(delete(ResourceType.POD, "a"));
        assertGone(ResourceType.POD, "a");
    }

    @Test
    default void finalizersHoldAPodThatItsKubeletHasStopped() {
        create(
                ResourceType.POD,
                finalized(pod("a").put("spec", podSpec().put("nodeName", "nowhere")), "x/a"));
        done(delete(ResourceType.POD, "a"));
        var stopped = done(delete(ResourceType.POD, "a", null, 0L));
        assertThat(grace(stopped)).isEqualTo(0);
        done(merge(ResourceType.POD, "a", unfinalized()));
        assertGone(ResourceType.POD, "a");
    }

    @Test
    default void aPodWhoseKubeletIsNotDoneOutlivesItsFinalizers() {
        create(
                ResourceType.POD,
                finalized(pod("a").put("spec", podSpec().put("nodeName", "nowhere")), "x/a"));
        done(delete(ResourceType.POD, "a"));
        done(merge(ResourceType.POD, "a", unfinalized()));
        assertThat(grace(read(ResourceType.POD, "a"))).isEqualTo(30);
    }

    @Test
    default void aNameIsFreeAgainForAnotherUid() {
        var first = create(CONFIG_MAP, configMap("a"));
        done(delete(CONFIG_MAP, "a"));
        var second = create(CONFIG_MAP, configMap("a"));
        assertThat(uid(second)).isNotEqualTo(uid(first));
        refused(delete(CONFIG_MAP, "a", uid(first), null), 409, "Conflict");
    }
}
