package dev.millwright.core.explain;

/// How much a kind of change asks of a person: a typo is mended before a bound is raised, the pod
/// is changed before a pool that others share. Within a kind the changes stand less than 0.2 apart.
final class Effort {

    static final double MEND = 1.0;

    /// Limits and budgets.
    static final double BOUND = 1.2;

    static final double POD = 1.4;

    static final double POOL = 1.6;

    private Effort() {}
}
