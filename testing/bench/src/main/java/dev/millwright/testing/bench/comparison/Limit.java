package dev.millwright.testing.bench.comparison;

/// A promise with a number: what was wanted at most, and what was found.
record Limit(String promise, String unit, double wantedMost, double found) {

    boolean isMet() {
        return found <= wantedMost;
    }
}
