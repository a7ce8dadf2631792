package dev.millwright.core.cluster;

import dev.millwright.core.label.Requirement;

import java.util.List;

/// Which nodes a pod asks for. The required terms are alternatives, tried in order; a preferred one
/// is a wish.
public record NodeAffinity(List<Term> required, List<Preferred> preferred) {

    public static final NodeAffinity NONE = new NodeAffinity(List.of(), List.of());

    /// One alternative: all its expressions hold together.
    public record Term(List<Requirement> expressions, boolean hasMatchFields) {
        public Term {
            expressions = List.copyOf(expressions);
        }

        public static Term of(Requirement... expressions) {
            return new Term(List.of(expressions), false);
        }
    }

    public record Preferred(int weight, Term term) {}

    public NodeAffinity {
        required = List.copyOf(required);
        preferred = List.copyOf(preferred);
    }
}
