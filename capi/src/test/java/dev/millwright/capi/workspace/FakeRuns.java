package dev.millwright.capi.workspace;

import dev.millwright.capi.workspace.RunOutcome.Change;
import dev.millwright.capi.workspace.RunOutcome.Output;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.kube.document.Value;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Runs that a test moves on and ends by hand.
final class FakeRuns implements TerraformRuns {

    private final Map<String, Look> looks = new HashMap<>();
    private final List<RunOrder> orders = new ArrayList<>();
    private final Set<String> interrupted = new TreeSet<>();
    private Set<String> kept = Set.of();

    @Override
    public Look look(String uid) {
        return looks.getOrDefault(uid, new Look.Idle());
    }

    @Override
    public void start(RunOrder order) {
        if (!looks.containsKey(order.target().uid())) {
            orders.add(order);
            goesOn(order.target().uid(), Phase.WAITING, Goal.UPKEEP, "waits for its turn");
        }
    }

    void goesOn(String uid, Phase phase, Goal goal, String message) {
        looks.put(uid, new Look.Running(new Progress(phase, message, goal, Instant.EPOCH)));
    }

    void ends(String uid, long generation, Instant now, Result result) {
        ends(uid, generation, now, result, List.of());
    }

    void ends(String uid, long generation, Instant now, Result result, List<String> doubtful) {
        looks.put(uid, new Look.Ended(new RunOutcome(result, generation, now, doubtful)));
    }

    static Result applied(Change change, SequencedMap<String, Output> outputs) {
        return new Result.Settled(
                true, false, change, "1 added, 0 changed, 0 destroyed", outputs, "sum", List.of());
    }

    static SequencedMap<String, Output> outputs(String name, Value value, boolean isSensitive) {
        return new TreeMap<>(Map.of(name, new Output(value, isSensitive)));
    }

    List<RunOrder> orders() {
        return List.copyOf(orders);
    }

    Set<String> interrupted() {
        return interrupted;
    }

    Set<String> kept() {
        return kept;
    }

    @Override
    public void interrupt(String uid) {
        interrupted.add(uid);
    }

    @Override
    public void settle(String uid) {
        looks.remove(uid);
    }

    @Override
    public void collect(Set<String> uids) {
        kept = Set.copyOf(uids);
    }
}
