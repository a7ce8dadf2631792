package dev.millwright.kube.document;

/// Bounds on what is read, so that a hostile or mistaken file fails with a message and not by
/// exhaustion. All are far above what a cluster's objects reach.
final class Limits {

    /// Levels of mappings and lists inside one another.
    static final int DEPTH_MAX = 100;

    /// Bytes of one file after unpacking.
    static final long BYTES_MAX = 1L << 30;

    /// Characters of one text. The API server takes objects of 1.5 MB at most.
    static final int TEXT_LENGTH_MAX = 16 << 20;

    /// Characters of one number.
    static final int NUMBER_LENGTH_MAX = 1_000;

    /// Values that the aliases of one YAML document may stand for in sum.
    static final int ALIASED_VALUES_MAX = 100_000;

    /// Elements of one list and fields of one mapping.
    static final int ELEMENTS_MAX = 1_000_000;

    private Limits() {}
}
