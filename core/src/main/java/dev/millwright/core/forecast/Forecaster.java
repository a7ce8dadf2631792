package dev.millwright.core.forecast;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.forecast.Forecast.Ending;
import dev.millwright.core.forecast.Forecast.Fleet;
import dev.millwright.core.scheduling.FleetBound;
import dev.millwright.core.scheduling.Plan.WaitingPod;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Tells what the operator would do from now on if nobody else did anything.
///
/// It makes the operator's own decisions on a cluster that changes as they say: claims become
/// nodes, evicted pods wait, kube-scheduler binds them where it likes best, budgets have room again
/// when pods are ready. How long that takes is assumed ([Pace]).
public final class Forecaster {

    /// Virtual time after which it stops. A fleet that is not at rest by then is not for lack of
    /// time.
    private static final Duration TIME_MAX = Duration.ofHours(24);

    private static final int STEPS_MAX = 200_000;
    private static final int ACTIONS_MAX = 20_000;

    private Forecaster() {}

    public static Forecast forecast(ForecastProblem problem) {
        return forecast(problem, _ -> {});
    }

    /// `heard` is told of every decision on the way.
    public static Forecast forecast(ForecastProblem problem, Consumer<Deliberation> heard) {
        var course = new Course(problem, heard);
        var before = fleet(problem, course.scene());
        var removal = new Removal(problem, course);
        removal.begin();
        course.begin();
        var ending = run(course);
        return new Forecast(
                before,
                fleet(problem, course.scene()),
                course.actions(),
                removal.kept(),
                waiting(course),
                ending);
    }

    private static Ending run(Course course) {
        var agenda = course.agenda();
        var start = agenda.now();
        var lastDeedAfter = Duration.ZERO;
        for (var step = 0; step < STEPS_MAX; step++) {
            var next = agenda.nextAt();
            if (next == null) {
                return new Ending.Quiet(lastDeedAfter);
            }
            if (Duration.between(start, next).compareTo(TIME_MAX) > 0) {
                return new Ending.Unfinished(course.elapsed(), "a day is enough");
            }
            if (course.actions().size() > ACTIONS_MAX) {
                return new Ending.Unfinished(course.elapsed(), ACTIONS_MAX + " actions are enough");
            }
            var deeds = course.scene().revision();
            agenda.step();
            if (course.scene().revision() != deeds) {
                lastDeedAfter = course.elapsed();
            }
        }
        return new Ending.Unfinished(course.elapsed(), STEPS_MAX + " steps are enough");
    }

    private static List<WaitingPod> waiting(Course course) {
        return course.refused().stream()
                .filter(each -> course.scene().waiting().containsKey(each.pod()))
                .toList();
    }

    private static Fleet fleet(ForecastProblem problem, Scene scene) {
        var nodes = new ArrayList<Purchase>();
        var running = new ArrayList<Pod>();
        for (var unit : scene.units()) {
            if (unit.isManaged()) {
                nodes.add(unit.purchase());
                for (var pod : unit.pods()) {
                    if (pod.state().isReschedulable()) {
                        running.add(pod);
                    }
                }
            }
        }
        return new Fleet(
                nodes,
                running.size(),
                scene.waiting().size(),
                nodes.stream()
                        .mapToDouble(node -> problem.provisioning().nodeFeePerHour(node.nodePool()))
                        .sum(),
                FleetBound.leastPerHour(problem.provisioning(), running));
    }
}
