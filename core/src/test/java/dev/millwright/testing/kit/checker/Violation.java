package dev.millwright.testing.kit.checker;

/// A promise that a plan breaks: the rule, the object that suffers, and what was found.
public record Violation(Rule rule, String subject, String problem) {

    public enum Rule {
        ACCOUNT,
        DESTINATION,
        TAINTS,
        REQUIREMENTS,
        RESOURCES,
        HOST_PORTS,
        VOLUME_LIMITS,
        VOLUME_ZONES,
        OFFERINGS,
        TYPE_ORDER,
        FLEXIBILITY,
        REQUESTS,
        LIMITS,
        MIN_VALUES,
        RESERVATIONS,
        TOPOLOGY_KEY,
        AFFINITY,
        ANTI_AFFINITY,
        SPREAD,
        PRICE,
        OVERLOOKED
    }

    @Override
    public String toString() {
        return "%s %s: %s".formatted(rule, subject, problem);
    }
}
