package dev.millwright.controllers.disruption;

import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.core.deliberation.DisruptionPass.Question;
import dev.millwright.core.deliberation.DisruptionPass.Sight;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.kube.cache.View;

import java.time.Instant;

/// Reads from the caches, and from what this process has under way, what a pass is asked.
public final class PassQuestions {

    private final Survey survey;
    private final Marks marks;
    private final DisruptionQueue queue;
    private final NodeReservations reservations;
    private final DisruptionOptions options;

    public PassQuestions(
            Survey survey,
            Marks marks,
            DisruptionQueue queue,
            NodeReservations reservations,
            DisruptionOptions options) {
        this.survey = survey;
        this.marks = marks;
        this.queue = queue;
        this.reservations = reservations;
        this.options = options;
    }

    /// Grows with every change that a pass could see.
    long revision(View view) {
        return view.revision() + marks.revision();
    }

    Question of(View view, Instant now) {
        var isAtRest = queue.entries().isEmpty();
        return new Question(
                survey.of(view, now),
                options,
                StaticCounts.of(view, marks, reservations),
                new Sight(
                        revision(view),
                        ClusterFingerprint.of(view, marks, now),
                        isAtRest ? ClusterFingerprint.wanted(view) : null,
                        queue.moves().takenBack(),
                        isAtRest));
    }
}
