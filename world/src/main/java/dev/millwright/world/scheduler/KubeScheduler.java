package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.PodVolumes;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.scheduler.Candidate.Stage;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Gives every waiting pod a node, one at a time.
public final class KubeScheduler {

    private static final String BY = "scheduler";
    private static final String NOMINATED = "nominatedNodeName";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private final Ledger ledger;
    private final Agenda agenda;
    private final Chance chance;
    private final SchedulerSettings settings;
    private final Writes writes;
    private final Board board;
    private final Search search;
    private final Nominations nominations = new Nominations();
    private final SchedulingQueue queue = new SchedulingQueue();
    private final Map<ObjectName, Candidate> candidates = new HashMap<>();
    private final Map<ObjectName, List<Candidate>> awaitedClaims = new HashMap<>();
    private boolean isPumping;
    private boolean isFlushing;

    public KubeScheduler(Ledger ledger, Agenda agenda, Chance chance, SchedulerSettings settings) {
        this.ledger = ledger;
        this.agenda = agenda;
        this.chance = chance;
        this.settings = settings;
        this.writes = new Writes(ledger.store(), BY);
        this.board = new Board(this::namespaceLabels, new WorkloadSelectors(ledger)::of);
        this.search =
                new Search(
                        board,
                        ledger.store(),
                        new Preemption(board, ledger.store(), this::startedAt),
                        nominations);
        ledger.watchNodes(this::nodeChanged);
        ledger.watchPods(this::podChanged);
        ledger.watch(ResourceType.CSI_NODE, (name, _, after) -> limitsChanged(name, after));
        ledger.watch(
                ResourceType.PERSISTENT_VOLUME_CLAIM, (name, _, after) -> claimed(name, after));
        ledger.watch(ResourceType.PERSISTENT_VOLUME, (_, _, _) -> wakeOfClaims());
        ledger.watch(ResourceType.STORAGE_CLASS, (_, _, _) -> wakeOfClaims());
    }

    private Instant startedAt(ObjectName name) {
        var candidate = candidates.get(name);
        var at =
                candidate == null
                        ? null
                        : Reading.instant(candidate.pod().object(), "status", "startTime");
        return at == null ? agenda.instant() : at;
    }

    private Map<String, String> namespaceLabels(String namespace) {
        var object = ledger.store().find(ResourceType.NAMESPACE, new ObjectName("", namespace));
        var labels = new TreeMap<>(Reading.texts(object, "metadata", "labels"));
        labels.putIfAbsent("kubernetes.io/metadata.name", namespace);
        return labels;
    }

    /// Where a pod could go at this moment.
    ///
    /// @param feasible all nodes that will do
    /// @param best those of them that are liked best: the scheduler takes one of these
    /// @param message why there is none
    public record Verdict(List<String> feasible, List<String> best, String message) {
        public Verdict {
            feasible = List.copyOf(feasible);
            best = List.copyOf(best);
        }
    }

    /// What the scheduler would say of a pod now. A pod that has a place is asked about as if it
    /// had none, beside itself.
    public @Nullable Verdict judge(ObjectName pod) {
        var candidate = candidates.get(pod);
        return candidate == null ? null : search.judge(candidate.kind());
    }

    private void nodeChanged(@Nullable NodeFacts before, @Nullable NodeFacts after) {
        if (after != null) {
            if (board.learn(after)) {
                wakeFor(after.name());
            }
        } else if (before != null) {
            board.forget(before.name());
            wake(kind -> !kind.hardSpread().isEmpty());
        }
    }

    private void limitsChanged(ObjectName name, Value.@Nullable Mapping after) {
        var limits = new TreeMap<String, Integer>();
        for (var driver : Reading.list(after, "spec", "drivers")) {
            var count = Reading.number(driver, "allocatable", "count");
            if (count != null) {
                limits.put(Reading.text(driver, "name"), Math.toIntExact(count));
            }
        }
        if (board.node(name.name()) != null) {
            board.limit(name.name(), limits);
            wakeOfClaims();
        }
    }

    private void claimed(ObjectName name, Value.@Nullable Mapping claim) {
        wakeOfClaims();
        if (claim != null && PodVolumes.isBound(claim) && awaitedClaims.containsKey(name)) {
            for (var candidate : List.copyOf(awaitedClaims.getOrDefault(name, List.of()))) {
                bookBinding(candidate);
            }
        }
    }

    private void wakeOfClaims() {
        wake(kind -> !kind.wish().claims().isEmpty());
    }

    private void wake(Predicate<PodClass> isHelped) {
        search.somethingFreed();
        queue.wake(isHelped, agenda.instant());
        pump();
    }

    /// Something on the node has become better for some.
    private void wakeFor(String node) {
        var slot = board.node(node);
        wake(
                kind ->
                        slot == null
                                || kind.dependsOnOthers()
                                || NodeFit.obstacle(kind, slot) == null);
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        if (before != null && (after == null || !after.uid().equals(before.uid()))) {
            forget(before.name());
        }
        if (after == null) {
            return;
        }
        var candidate = candidates.get(after.name());
        if (candidate == null) {
            candidate = new Candidate(after, board.join(PodWishReader.read(after)));
            candidates.put(after.name(), candidate);
        } else if (before != null && !SpecChange.isNone(before, after)) {
            change(
                    candidate,
                    after,
                    SpecChange.isOfLabelsAlone(before, after)
                            ? candidate.kind().wish().withLabels(after.labels())
                            : PodWishReader.read(after));
        } else {
            candidate.learn(after, candidate.kind());
        }
        settle(candidate);
    }

    /// The pod asks for something else than before.
    private void change(Candidate candidate, PodFacts after, PodWish wish) {
        var old = candidate.kind();
        var kind = board.join(wish);
        if (kind != old) {
            queue.remove(candidate);
            var placed = board.placed(candidate.name());
            if (placed != null) {
                board.lift(placed);
            }
        }
        candidate.learn(after, kind);
        board.leave(old);
    }

    private void forget(ObjectName name) {
        var candidate = candidates.remove(name);
        if (candidate == null) {
            return;
        }
        queue.remove(candidate);
        nominations.remove(name);
        stopAwaiting(candidate);
        lift(name);
        board.leave(candidate.kind());
    }

    private void lift(ObjectName name) {
        var placed = board.placed(name);
        if (placed != null) {
            board.lift(placed);
            wakeFor(placed.slot().name());
        }
    }

    /// Brings the candidate where the pod's state says it belongs.
    private void settle(Candidate candidate) {
        var pod = candidate.pod();
        if (pod.isTerminal()) {
            queue.remove(candidate);
            lift(pod.name());
        } else if (pod.isBound()) {
            bound(candidate, pod);
        } else if (pod.isDeleting() || !isOurs(pod) || isGated(pod)) {
            queue.remove(candidate);
        } else if (candidate.stage() == Stage.IDLE) {
            queue.add(candidate, agenda.instant());
            pump();
        }
    }

    private void bound(Candidate candidate, PodFacts pod) {
        if (candidate.stage() != Stage.ASSUMED) {
            queue.remove(candidate);
        }
        stopAwaiting(candidate);
        candidate.enter(Stage.BOUND);
        var placed = board.placed(pod.name());
        if (placed != null && !placed.slot().name().equals(pod.nodeName())) {
            lift(pod.name());
            placed = null;
        }
        if (placed == null) {
            board.place(pod.name(), pod.uid(), candidate.kind(), pod.nodeName(), pod.isDeleting());
            placedOne();
        } else if (pod.isDeleting() && !placed.isLeaving()) {
            board.leaving(placed);
            wake(kind -> !kind.hardSpread().isEmpty());
        }
    }

    private void placedOne() {
        search.somethingPlaced();
        queue.wake(kind -> kind.wish().isHelpedByOthers(), agenda.instant());
        pump();
    }

    private boolean isOurs(PodFacts pod) {
        var name = Reading.text(pod.object(), "spec", "schedulerName");
        return name.isEmpty() || name.equals(settings.name());
    }

    private static boolean isGated(PodFacts pod) {
        return !Reading.list(pod.object(), "spec", "schedulingGates").isEmpty();
    }

    private void pump() {
        if (!isPumping && !queue.isIdle()) {
            isPumping = true;
            agenda.after(settings.cycle(), this::scheduleNext);
        }
    }

    private void scheduleNext() {
        isPumping = false;
        var candidate = queue.poll(agenda.instant());
        if (candidate != null) {
            schedule(candidate);
        }
        pump();
    }

    private void schedule(Candidate candidate) {
        var mayPreempt = !isRoomComing(candidate);
        switch (search.find(candidate.name(), candidate.kind(), mayPreempt, chance)) {
            case Search.Found(var slot, var unbound) -> assume(candidate, slot, unbound);
            case Search.Behind(var plan, var message) -> preempt(candidate, plan, message);
            case Search.Nowhere(var message) -> {
                giveUp(candidate, message);
                if (mayPreempt) {
                    nominate(candidate, "");
                }
            }
        }
    }

    /// Whether those who were driven out for the pod are still on their way.
    private boolean isRoomComing(Candidate candidate) {
        var nominated = nominations.of(candidate.name());
        var slot = nominated == null ? null : board.node(nominated);
        return slot != null
                && slot.pods().values().stream()
                        .anyMatch(
                                pod ->
                                        pod.isLeaving()
                                                && pod.kind().wish().priority()
                                                        < candidate.priority());
    }

    /// The pod comes again when its victims are gone.
    private void preempt(Candidate candidate, Preemption.Plan plan, String message) {
        giveUp(candidate, message);
        nominate(candidate, plan.slot().name());
        for (var victim : plan.victims()) {
            writes.delete(ResourceType.POD, victim.name(), victim.uid());
        }
    }

    private void nominate(Candidate candidate, String node) {
        var before = nominations.of(candidate.name());
        if (node.equals(before == null ? "" : before)) {
            return;
        }
        if (node.isEmpty()) {
            nominations.remove(candidate.name());
        } else {
            nominations.put(candidate, node);
        }
        writes.status(
                ResourceType.POD,
                candidate.name(),
                node.isEmpty() ? Tree.of().putNothing(NOMINATED) : Tree.of(NOMINATED, node));
    }

    private void assume(Candidate candidate, NodeSlot slot, List<ObjectName> unbound) {
        candidate.enter(Stage.ASSUMED);
        nominations.remove(candidate.name());
        var pod = candidate.pod();
        board.place(pod.name(), pod.uid(), candidate.kind(), slot.name(), false);
        placedOne();
        queue.wakeNext(candidate.kind(), agenda.instant());
        if (unbound.isEmpty()) {
            bookBinding(candidate);
        } else {
            awaitVolumes(candidate, slot, unbound);
        }
    }

    private void bookBinding(Candidate candidate) {
        agenda.after(settings.binding().draw(chance), () -> bind(candidate));
    }

    private void bind(Candidate candidate) {
        var name = candidate.name();
        var placed = board.placed(name);
        if (candidates.get(name) != candidate
                || candidate.stage() != Stage.ASSUMED
                || placed == null
                || awaits(candidate)) {
            return;
        }
        var answer = ledger.store().bind(BY, name, candidate.pod().uid(), placed.slot().name());
        if (!answer.isDone()) {
            unassume(candidate);
        }
    }

    private boolean awaits(Candidate candidate) {
        for (var name : candidate.kind().wish().claims()) {
            var claim = ledger.store().find(ResourceType.PERSISTENT_VOLUME_CLAIM, name);
            if (claim == null || !PodVolumes.isBound(claim)) {
                return true;
            }
        }
        return false;
    }

    /// The place is given up, and the pod comes again later.
    private void unassume(Candidate candidate) {
        stopAwaiting(candidate);
        candidate.enter(Stage.IDLE);
        lift(candidate.name());
        agenda.after(
                backoff(candidate),
                () -> {
                    if (candidates.get(candidate.name()) == candidate) {
                        settle(candidate);
                    }
                });
    }

    /// Whoever makes volumes learns where the pod goes, and binding waits until they are there.
    private void awaitVolumes(Candidate candidate, NodeSlot slot, List<ObjectName> unbound) {
        for (var claim : unbound) {
            awaitedClaims.computeIfAbsent(claim, _ -> new ArrayList<>()).add(candidate);
        }
        agenda.after(
                settings.binding().draw(chance), () -> selectNode(candidate, slot.name(), unbound));
        agenda.after(
                settings.volumesWithin(),
                () -> {
                    if (candidates.get(candidate.name()) == candidate
                            && candidate.stage() == Stage.ASSUMED
                            && awaits(candidate)) {
                        unassume(candidate);
                    }
                });
    }

    private void selectNode(Candidate candidate, String node, List<ObjectName> claims) {
        if (candidates.get(candidate.name()) == candidate && candidate.stage() == Stage.ASSUMED) {
            for (var claim : claims) {
                writes.patch(
                        ResourceType.PERSISTENT_VOLUME_CLAIM,
                        claim,
                        Tree.of("metadata", Tree.of("annotations", Tree.of(SELECTED_NODE, node))));
            }
        }
    }

    private void stopAwaiting(Candidate candidate) {
        if (candidate.kind().wish().claims().isEmpty()) {
            return;
        }
        for (var claim : candidate.kind().wish().claims()) {
            var waiting = awaitedClaims.get(claim);
            if (waiting != null) {
                waiting.remove(candidate);
                if (waiting.isEmpty()) {
                    awaitedClaims.remove(claim);
                }
            }
        }
    }

    private Duration backoff(Candidate candidate) {
        var wait = settings.backoffMin();
        for (var i = 0;
                i < candidate.attempts() && wait.compareTo(settings.backoffMax()) < 0;
                i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(settings.backoffMax()) > 0 ? settings.backoffMax() : wait;
    }

    private void giveUp(Candidate candidate, String message) {
        candidate.failed(agenda.instant().plus(backoff(candidate)));
        queue.stick(candidate);
        writeUnschedulable(candidate.pod(), message);
        if (!isFlushing) {
            isFlushing = true;
            agenda.after(settings.patience(), this::flush);
        }
    }

    /// A reason to try again may have been overlooked.
    private void flush() {
        isFlushing = false;
        wake(_ -> true);
        if (queue.hasStuck()) {
            isFlushing = true;
            agenda.after(settings.patience(), this::flush);
        }
    }

    private void writeUnschedulable(PodFacts pod, String message) {
        var old = Reading.condition(pod.object(), "PodScheduled");
        if (old != null
                && Reading.text(old, "reason").equals("Unschedulable")
                && Reading.text(old, "message").equals(message)) {
            return;
        }
        var condition =
                Tree.of("type", "PodScheduled")
                        .put("status", "False")
                        .put("reason", "Unschedulable")
                        .put("message", message)
                        .put(
                                "lastTransitionTime",
                                agenda.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        writes.status(
                ResourceType.POD,
                pod.name(),
                Tree.of().putList("conditions", Writes.conditions(pod.object(), condition)));
    }
}
