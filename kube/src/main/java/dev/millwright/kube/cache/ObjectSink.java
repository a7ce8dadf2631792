package dev.millwright.kube.cache;

import dev.millwright.kube.document.Value;

/// Takes what a [Reflector] hears of one resource, from one thread at a time.
///
/// A list comes piece by piece, so that 10,000 pods never stand in memory as text trees: `begin`,
/// each `item`, and `end`. A list that breaks off has no `end` and is begun again. The same state
/// may be told twice and an old one after a newer: versions tell.
public interface ObjectSink {

    /// A list begins; one that had no end is forgotten.
    void begin();

    void item(Value.Mapping object);

    /// The list was whole as of this version: what was not among its items has gone, unless it was
    /// heard of later by other ways. An empty version means that it has gone whatever was heard,
    /// because nobody serves the resource any more.
    void end(String resourceVersion);

    void put(Value.Mapping object);

    /// In its last state.
    void removed(Value.Mapping object);
}
