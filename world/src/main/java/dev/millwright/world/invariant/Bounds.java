package dev.millwright.world.invariant;

import java.time.Duration;

/// How long things may take at most, and why.
final class Bounds {

    /// How long the status of a PodDisruptionBudget may tell of yesterday's pods.
    static final Duration BUDGET_LAG = Duration.ofSeconds(5);

    /// A machine without a claim: garbage is collected every two minutes; one pass may come too
    /// early and the next may fail, then the machine takes three minutes to end.
    static final Duration UNOWNED_MACHINE = Duration.ofMinutes(10);

    /// A pod that waits: a machine that never registers is given up after fifteen minutes, and a
    /// second one for the same pod takes a launch (five minutes at most) and a boot.
    static final Duration WAITING_POD = Duration.ofMinutes(25);

    /// An object on its way out that nothing holds: retries come at most a minute apart, a machine
    /// takes three minutes to end.
    static final Duration DELETING = Duration.ofMinutes(10);

    /// A node with our finalizer and no claim: its claim's end must have released it.
    static final Duration UNOWNED_NODE = Duration.ofMinutes(10);

    /// A registered claim whose machine is gone: garbage is collected every two minutes, and a dead
    /// node counts as ready for forty seconds.
    static final Duration CLAIM_WITHOUT_MACHINE = Duration.ofMinutes(10);

    /// A claim whose machine goes before it joins waits for it until the registration timeout of 15
    /// minutes: only those that have joined are looked for in the cloud.
    static final Duration CLAIM_NEVER_JOINED = Duration.ofMinutes(20);

    /// All that a deleted pool had: its nodes are drained, however slowly, and their machines end.
    static final Duration DESTROYED = Duration.ofMinutes(20);

    private Bounds() {}
}
