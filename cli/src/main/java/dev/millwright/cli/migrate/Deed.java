package dev.millwright.cli.migrate;

/// One thing that was done to a cluster, or was done before already.
///
/// @param verb in the past: `created`, `adopted`, `restored`, `removed`, `left`
public record Deed(String verb, String object, String words) {

    @Override
    public String toString() {
        return words.isEmpty()
                ? "%s %s".formatted(object, verb)
                : "%s %s: %s".formatted(object, verb, words);
    }
}
