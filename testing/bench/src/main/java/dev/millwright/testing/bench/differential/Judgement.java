package dev.millwright.testing.bench.differential;

import dev.millwright.testing.kit.generator.Document;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Both answers to a document and how they differ.
record Judgement(
        Document document,
        @Nullable OurAnswer firstFit,
        @Nullable OurAnswer cheapest,
        PeerAnswer peer,
        boolean isSameNodes,
        List<Difference> differences) {

    Judgement {
        differences = List.copyOf(differences);
    }

    boolean differsIn(Difference.Kind kind) {
        return differences.stream().anyMatch(difference -> difference.kind() == kind);
    }
}
