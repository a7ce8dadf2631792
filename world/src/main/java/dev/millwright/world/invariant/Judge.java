package dev.millwright.world.invariant;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.invariant.seen.SeenCluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Holds a world to its invariants: reads each happening once and shows it to all of them.
public final class Judge implements Witness {

    /// Breaches kept; a world with more is broken enough.
    public static final int BREACHES_MAX = 100;

    private final List<Breach> breaches = new ArrayList<>();
    private final SeenCluster cluster;
    private final Trouble trouble = new Trouble();
    private final List<Invariant> invariants;
    private long breachCount;

    public Judge(LabelVocabulary vocabulary, Prices prices, Slack slack) {
        this.cluster = new SeenCluster(vocabulary);
        this.invariants = all(new Court(cluster, trouble, slack, this::tell), prices);
    }

    private static List<Invariant> all(Court court, Prices prices) {
        return List.of(
                new PodBudgets(court),
                new GuardedPods(court),
                new DrainedFirst(court),
                new PodsRun(court),
                new LaunchedOnce(court),
                new MachinesOwned(court),
                new ClaimsLive(court),
                new NodesOwned(court),
                new NothingStuck(court),
                new NothingLeft(court),
                new PoolLimits(court),
                new NodeBudgets(court),
                new PriceKept(court, prices),
                new NoCycle(court),
                new OneLeader(court));
    }

    private void tell(Breach breach) {
        breachCount++;
        if (breaches.size() < BREACHES_MAX) {
            breaches.add(breach);
        }
    }

    @Override
    public void saw(Happening happening) {
        var sight = cluster.saw(happening);
        trouble.saw(sight);
        for (var invariant : invariants) {
            invariant.saw(sight);
        }
    }

    /// The world ends here.
    public void end(Instant at) {
        invariants.forEach(invariant -> invariant.end(at));
    }

    /// The names of all that is held, in a fixed order.
    public List<String> invariants() {
        return invariants.stream().map(Invariant::name).toList();
    }

    /// The first ones, in the order they were found.
    public List<Breach> breaches() {
        return List.copyOf(breaches);
    }

    public long breachCount() {
        return breachCount;
    }

    /// What is there now, by all that happened.
    public SeenCluster cluster() {
        return cluster;
    }
}
