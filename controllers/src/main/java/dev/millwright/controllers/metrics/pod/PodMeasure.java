package dev.millwright.controllers.metrics.pod;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.pod.Waits.Wait;
import dev.millwright.controllers.state.PodTimes.Times;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// How long one pod has waited: gauges while it waits, one observation when a wait is over.
///
/// A pod that ended without ever having been ready is no measure of a start.
record PodMeasure(
        List<GaugeSample> gauges, List<Effect> observations, Wait remaining, boolean isSettled) {

    PodMeasure {
        gauges = List.copyOf(gauges);
        observations = List.copyOf(observations);
    }

    /// `times` is what plans said of the pod; `before` is what is still to be measured of it.
    static PodMeasure of(PodObject pod, @Nullable Times times, @Nullable Wait before, Instant now) {
        return new Measuring(pod, times, before, now).measure();
    }

    private static final class Measuring {
        private final PodObject pod;
        private final @Nullable Times times;
        private final @Nullable Wait before;
        private final Instant now;
        private final boolean isPending;
        private final List<GaugeSample> gauges = new ArrayList<>();
        private final List<Effect> observations = new ArrayList<>();
        private boolean isSettled;

        Measuring(PodObject pod, @Nullable Times times, @Nullable Wait before, Instant now) {
            this.pod = pod;
            this.times = times;
            this.before = before;
            this.now = now;
            this.isPending = pod.pod().state().phase() == Phase.PENDING;
        }

        PodMeasure measure() {
            undecided();
            var isForStart = isForStart();
            var isForNode = isForNode();
            var wasUnbound =
                    (before != null && before.wasUnbound())
                            || (isPending && pod.scheduledAt() == null);
            var remaining = new Wait(pod.meta().uid(), isForStart, isForNode, wasUnbound);
            return new PodMeasure(gauges, observations, remaining, isSettled);
        }

        /// A bound pod needs no decision, even before kube-scheduler's condition says that it is.
        private void undecided() {
            if (times != null
                    && times.ackedAt() != null
                    && times.decidedAt() == null
                    && pod.scheduledAt() == null
                    && pod.nodeName().isEmpty()
                    && !pod.isTerminal()) {
                gauge(Families.PODS_PROVISIONING_UNDECIDED, times.ackedAt(), now);
            }
        }

        private boolean isForStart() {
            if (!isPending && (before == null || !before.isForStart())) {
                return false;
            }
            var readyAt = pod.readyAt();
            if (!isPending && readyAt != null) {
                observe(Families.PODS_STARTUP, pod.meta().createdAt(), readyAt);
                observe(Families.PODS_PROVISIONING_STARTUP, schedulableAt(), readyAt);
                isSettled = true;
                return false;
            }
            if (!isPending && pod.isTerminal()) {
                isSettled = true;
                return false;
            }
            gauge(Families.PODS_UNSTARTED, pod.meta().createdAt(), now);
            gauge(Families.PODS_PROVISIONING_UNSTARTED, schedulableAt(), now);
            return true;
        }

        /// The wait for a node is told until the pod has begun; from the moment that it had one it
        /// grows no more.
        private boolean isForNode() {
            var scheduledAt = pod.scheduledAt();
            if (isPending) {
                if (scheduledAt == null || (before != null && before.wasUnbound())) {
                    var until = scheduledAt == null ? now : scheduledAt;
                    gauge(Families.PODS_UNBOUND, pod.meta().createdAt(), until);
                    gauge(Families.PODS_PROVISIONING_UNBOUND, schedulableAt(), until);
                }
                return true;
            }
            if (before == null || !before.isForNode()) {
                return false;
            }
            if (scheduledAt != null) {
                observe(Families.PODS_BOUND, pod.meta().createdAt(), scheduledAt);
                observe(Families.PODS_PROVISIONING_BOUND, schedulableAt(), scheduledAt);
                return false;
            }
            return !pod.isTerminal();
        }

        private @Nullable Instant schedulableAt() {
            return times == null ? null : times.schedulableAt();
        }

        private void gauge(MetricFamily family, @Nullable Instant from, Instant until) {
            if (from != null) {
                gauges.add(
                        new GaugeSample(
                                family,
                                seconds(from, until),
                                List.of(pod.name().name(), pod.name().namespace())));
            }
        }

        private void observe(MetricFamily family, @Nullable Instant from, Instant until) {
            if (from != null) {
                observations.add(new Effect.Observe(family, seconds(from, until), List.of()));
            }
        }

        /// The API keeps whole seconds, we do not: an end may seem to lie before its beginning.
        private static double seconds(Instant from, Instant until) {
            return Math.max(0, Duration.between(from, until).toMillis() / 1e3);
        }
    }
}
