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

    /// Bytes of one line of YAML, which its parser keeps whole.
    static final int LINE_BYTES_MAX = 4 << 20;

    /// Characters of one number.
    static final int NUMBER_LENGTH_MAX = 1_000;

    /// Values that the aliases of one YAML document may stand for in sum.
    static final int ALIASED_VALUES_MAX = 100_000;

    /// Elements of one list and fields of one mapping.
    static final int ELEMENTS_MAX = 1_000_000;

    /// Tokens of one JSON document that a stranger sent. Each is up to a hundred bytes of heap; a
    /// page of 250 Secrets' metadata has 50,000.
    static final long FOREIGN_TOKENS_MAX = 500_000;

    /// Characters of one text that a stranger sent: a release's manifest has a few million.
    static final int FOREIGN_TEXT_LENGTH_MAX = 8 << 20;

    private Limits() {}
}
