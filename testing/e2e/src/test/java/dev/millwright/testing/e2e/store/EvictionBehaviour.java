package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.element;
import static dev.millwright.testing.e2e.store.OnServer.generation;
import static dev.millwright.testing.e2e.store.OnServer.refused;
import static dev.millwright.testing.e2e.store.OnServer.uid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// Bindings and evictions: what the subresources of a pod do.
///
/// No controller counts here; the tests write the statuses of budgets themselves.
interface EvictionBehaviour extends OnServer {

    ResourceType BUDGET = ResourceType.POD_DISRUPTION_BUDGET;

    static Tree budget(String name) {
        return Tree.of("metadata", Tree.of("name", name))
                .put(
                        "spec",
                        Tree.of("maxUnavailable", "50%")
                                .put(
                                        "selector",
                                        Tree.of().putTexts("matchLabels", Map.of("app", "web"))));
    }

    private Value.Mapping counted(String name, int allowed, int healthy, int desired) {
        create(BUDGET, budget(name));
        return recount(name, allowed, healthy, desired);
    }

    private Value.Mapping recount(String name, int allowed, int healthy, int desired) {
        var status =
                Tree.of()
                        .put("disruptionsAllowed", allowed)
                        .put("currentHealthy", healthy)
                        .put("desiredHealthy", desired)
                        .put("expectedPods", healthy)
                        .put("observedGeneration", 1);
        return done(mergeStatus(BUDGET, name, Tree.of("status", status)));
    }

    private ApiAnswer evict(Value.Mapping pod) {
        return api().write(new ApiWrite.Evict(in(Trees.meta(pod, "name")), uid(pod)));
    }

    private boolean isGoing(String pod) {
        return !Trees.meta(read(ResourceType.POD, pod), "deletionTimestamp").isEmpty();
    }

    @Test
    default void aPodWithoutABudgetIsEvicted() {
        var answer = done(evict(runningPod("a", true)));
        assertThat(answer.text("kind")).isEqualTo("Status");
        assertThat(answer.text("status")).isEqualTo("Success");
        var going = read(ResourceType.POD, "a");
        assertThat(Trees.number(going, "metadata", "deletionGracePeriodSeconds")).isEqualTo(30);
        var told = element(Trees.list(going, "status", "conditions"), "type", "DisruptionTarget");
        assertThat(told).isNotNull();
        assertThat(told.text("reason")).isEqualTo("EvictionByEvictionAPI");
    }

    @Test
    default void aBudgetThatAllowsNothingRefuses() {
        var pod = runningPod("a", true);
        counted("b", 0, 1, 1);
        var answer = evict(pod);
        refused(answer, 429, "TooManyRequests");
        assertThat(((ApiAnswer.Refused) answer).message())
                .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(isGoing("a")).isFalse();
    }

    @Test
    default void aBudgetThatNobodyHasCountedRefuses() {
        var pod = runningPod("a", true);
        create(BUDGET, budget("b"));
        refused(evict(pod), 429, "TooManyRequests");
    }

    @Test
    default void aBudgetCountsWhatItAllowed() {
        var first = runningPod("a", true);
        var second = runningPod("b", true);
        var third = runningPod("c", true);
        counted("b", 2, 3, 1);
        done(evict(first));
        var once = read(BUDGET, "b");
        assertThat(Trees.number(once, "status", "disruptionsAllowed")).isEqualTo(1);
        assertThat(Trees.mapping(once, "status", "disruptedPods").fields()).containsOnlyKeys("a");
        done(evict(second));
        var twice = read(BUDGET, "b");
        assertThat(Trees.number(twice, "status", "disruptionsAllowed")).isEqualTo(0);
        var told = element(Trees.list(twice, "status", "conditions"), "type", "DisruptionAllowed");
        assertThat(told).isNotNull();
        assertThat(told.text("status")).isEqualTo("False");
        refused(evict(third), 429, "TooManyRequests");
        assertThat(isGoing("c")).isFalse();
    }

    @Test
    default void aPodThatIsGoingIsEvictedAgainForNothing() {
        var pod = runningPod("a", true);
        counted("b", 1, 2, 1);
        done(evict(pod));
        done(evict(pod));
        assertThat(Trees.number(read(BUDGET, "b"), "status", "disruptionsAllowed")).isEqualTo(0);
    }

    @Test
    default void aPodOfTwoBudgetsIsNotEvicted() {
        var pod = runningPod("a", true);
        counted("b", 1, 2, 1);
        counted("c", 1, 2, 1);
        var answer = evict(pod);
        assertThat(answer.isDone()).as(answer.explain()).isFalse();
        assertThat(answer.hasCode(500)).as(answer.explain()).isTrue();
        assertThat(isGoing("a")).isFalse();
        assertThat(Trees.number(read(BUDGET, "b"), "status", "disruptionsAllowed")).isEqualTo(1);
    }

    @Test
    default void anUnreadyPodGoesWhereEnoughAreHealthy() {
        var pod = runningPod("a", false);
        counted("b", 0, 1, 1);
        done(evict(pod));
        assertThat(isGoing("a")).isTrue();
    }

    @Test
    default void anUnreadyPodStaysWhereTooFewAreHealthy() {
        var pod = runningPod("a", false);
        counted("b", 0, 0, 1);
        refused(evict(pod), 429, "TooManyRequests");
        assertThat(isGoing("a")).isFalse();
    }

    @Test
    default void anUnreadyPodGoesWhereItIsAlwaysAllowedTo() {
        var pod = runningPod("a", false);
        var spec = Tree.of();
        Trees.mapping(budget("b").mapping(), "spec").fields().forEach(spec::put);
        create(
                BUDGET,
                budget("b").put("spec", spec.put("unhealthyPodEvictionPolicy", "AlwaysAllow")));
        recount("b", 0, 0, 1);
        done(evict(pod));
        assertThat(isGoing("a")).isTrue();
    }

    @Test
    default void aPendingPodIsEvictedWithoutABudgetsWord() {
        var pod = boundPod("a");
        counted("b", 0, 1, 1);
        done(evict(pod));
        assertThat(isGoing("a")).isTrue();
        assertThat(Trees.mapping(read(BUDGET, "b"), "status", "disruptedPods").fields()).isEmpty();
    }

    @Test
    default void aPodThatHasEndedIsEvictedWithoutABudgetsWord() {
        var pod = boundPod("a");
        done(mergeStatus(ResourceType.POD, "a", Tree.of("status", Tree.of("phase", "Failed"))));
        counted("b", 0, 1, 1);
        done(evict(pod));
        assertGone(ResourceType.POD, "a");
    }

    @Test
    default void anotherPodOfTheNameIsNotEvicted() {
        runningPod("a", true);
        var other = new ApiWrite.Evict(in("a"), "9b1c1c1e-0000-4000-8000-000000000000");
        refused(api().write(other), 409, "Conflict");
        assertThat(isGoing("a")).isFalse();
        refused(api().write(new ApiWrite.Evict(in("none"), "")), 404, "NotFound");
    }

    @Test
    default void aBudgetOfAnotherKindOfPodsHasNoWord() {
        create(
                ResourceType.POD,
                OnServer.labelled("a", Map.of("app", "other"))
                        .put("spec", podSpec().put("nodeName", "nowhere")));
        var pod = done(mergeStatus(ResourceType.POD, "a", OnServer.running(true)));
        counted("b", 0, 1, 1);
        done(evict(pod));
    }

    @Test
    default void aBudgetThatChangedMustBeCountedAnew() {
        var pod = runningPod("a", true);
        counted("b", 1, 2, 1);
        done(merge(BUDGET, "b", Tree.of("spec", Tree.of("maxUnavailable", "60%"))));
        refused(evict(pod), 429, "TooManyRequests");
        done(mergeStatus(BUDGET, "b", Tree.of("status", Tree.of().put("observedGeneration", 2))));
        done(evict(pod));
    }

    @Test
    default void aBoundPodHasItsNodeAndSaysSo() {
        var pod = create(ResourceType.POD, pod("a"));
        done(server().bind(in("a"), uid(pod), "somewhere"));
        var bound = read(ResourceType.POD, "a");
        assertThat(Trees.text(bound, "spec", "nodeName")).isEqualTo("somewhere");
        assertThat(generation(bound)).isEqualTo(1);
        var told = element(Trees.list(bound, "status", "conditions"), "type", "PodScheduled");
        assertThat(told).isNotNull();
        assertThat(told.text("status")).isEqualTo("True");
        assertThat(Trees.text(bound, "status", "phase")).isEqualTo("Pending");
    }

    @Test
    default void aPodIsBoundOnce() {
        var pod = create(ResourceType.POD, pod("a"));
        done(server().bind(in("a"), uid(pod), "somewhere"));
        refused(server().bind(in("a"), uid(pod), "elsewhere"), 409, "Conflict");
        refused(server().bind(in("a"), uid(pod), "somewhere"), 409, "Conflict");
    }

    @Test
    default void onlyAPodThatIsThereAndStaysIsBound() {
        refused(server().bind(in("none"), "", "somewhere"), 404, "NotFound");
        create(ResourceType.POD, finalized(pod("a"), "x/a"));
        refused(
                server().bind(in("a"), "9b1c1c1e-0000-4000-8000-000000000000", "somewhere"),
                409,
                "Conflict");
        var going = done(delete(ResourceType.POD, "a"));
        refused(server().bind(in("a"), uid(going), "somewhere"), 409, "Conflict");
    }

    @Test
    default void aGatedPodIsNotBound() {
        var gate = Tree.of("name", "x/gate").mapping();
        var pod =
                create(
                        ResourceType.POD,
                        pod("a").put("spec", podSpec().putList("schedulingGates", List.of(gate))));
        var told = element(Trees.list(pod, "status", "conditions"), "type", "PodScheduled");
        assertThat(told).isNotNull();
        assertThat(told.text("reason")).isEqualTo("SchedulingGated");
        refused(server().bind(in("a"), uid(pod), "somewhere"), 409, "Conflict");
        done(
                merge(
                        ResourceType.POD,
                        "a",
                        Tree.of("spec", Tree.of().putList("schedulingGates", List.of()))));
        done(server().bind(in("a"), uid(pod), "somewhere"));
    }

    @Test
    default void aBoundPodIsLabelledWithTheZoneOfItsNode() {
        var zone = "topology.kubernetes.io/zone";
        var made =
                create(
                        ResourceType.NODE,
                        OnServer.labelled(own("a").name(), Map.of(zone, "z-1", "other", "x")));
        var pod = create(ResourceType.POD, pod("a"));
        server().eventually(
                        "the server knows the node",
                        () -> {
                            var next =
                                    create(
                                            ResourceType.POD,
                                            OnServer.labelled("probe", Map.of())
                                                    .put(
                                                            "spec",
                                                            podSpec()
                                                                    .put(
                                                                            "nodeName",
                                                                            Trees.meta(
                                                                                    made,
                                                                                    "name"))));
                            done(delete(ResourceType.POD, "probe", null, 0L));
                            return Trees.text(next, "metadata", "labels", zone);
                        },
                        "z-1"::equals);
        done(server().bind(in("a"), uid(pod), Trees.meta(made, "name")));
        var bound = read(ResourceType.POD, "a");
        assertThat(Trees.mapping(bound, "metadata", "labels"))
                .isEqualTo(Tree.of("app", "web").put(zone, "z-1").mapping());
    }
}
