package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.world.cluster.PodFacts;

import java.time.Instant;

/// A pod the scheduler knows, and how far it is with it.
final class Candidate {

    enum Stage {
        /// Not ours to place, held back by a gate, or ended.
        IDLE,
        ACTIVE,
        BACKING_OFF,
        /// Found no place, and nothing has changed since that could help.
        STUCK,
        /// Has a place that the API server does not know yet.
        ASSUMED,
        BOUND
    }

    private PodFacts pod;
    private PodClass kind;
    private Stage stage = Stage.IDLE;
    private int attempts;
    private long number;
    private Instant queuedAt = Instant.EPOCH;
    private Instant backsOffUntil = Instant.EPOCH;

    Candidate(PodFacts pod, PodClass kind) {
        this.pod = pod;
        this.kind = kind;
    }

    PodFacts pod() {
        return pod;
    }

    ObjectName name() {
        return pod.name();
    }

    PodClass kind() {
        return kind;
    }

    void learn(PodFacts news, PodClass newKind) {
        pod = news;
        kind = newKind;
    }

    Stage stage() {
        return stage;
    }

    void enter(Stage next) {
        stage = next;
    }

    int priority() {
        return kind.wish().priority();
    }

    int attempts() {
        return attempts;
    }

    void failed(Instant until) {
        attempts++;
        backsOffUntil = until;
    }

    Instant queuedAt() {
        return queuedAt;
    }

    long number() {
        return number;
    }

    void queued(Instant at, long newNumber) {
        queuedAt = at;
        number = newNumber;
    }

    Instant backsOffUntil() {
        return backsOffUntil;
    }
}
