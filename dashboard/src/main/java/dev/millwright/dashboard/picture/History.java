package dev.millwright.dashboard.picture;

import dev.millwright.dashboard.picture.Picture.Moment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How the price went, in a bounded number of moments: when there are too many every other one is
/// dropped and new ones are taken half as often, so that a long run keeps its whole story.
///
/// Belongs to one thread; what it hands out does not change.
public final class History {

    /// More than a chart has pixels to show.
    public static final int MOMENTS_MAX = 600;

    private final List<Moment> moments = new ArrayList<>();
    private Duration step;

    /// The step is what lies at least between two moments, until there are too many.
    public History(Duration step) {
        this.step = step;
    }

    /// Takes the moment, unless the last one is too near.
    public void add(Moment moment) {
        if (!moments.isEmpty() && moment.at().isBefore(moments.getLast().at().plus(step))) {
            return;
        }
        if (moments.size() >= MOMENTS_MAX) {
            thinOut();
        }
        moments.add(moment);
    }

    private void thinOut() {
        var kept = new ArrayList<Moment>();
        for (var index = 0; index < moments.size(); index += 2) {
            kept.add(moments.get(index));
        }
        moments.clear();
        moments.addAll(kept);
        step = step.multipliedBy(2);
    }

    public List<Moment> moments() {
        return List.copyOf(moments);
    }
}
