package dev.millwright.core.forecast;

import dev.millwright.core.cluster.Pod;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Empties nodes that go: once their replacements are up, pod by pod as budgets let them.
final class Drains {

    /// Nodes that go together, and what they wait for.
    private record Pending(List<Unit> going, List<String> replacements) {}

    private final Course course;
    private final Scene scene;
    private final Agenda agenda;
    private final List<Pending> pending = new ArrayList<>();

    Drains(Course course) {
        this.course = course;
        this.scene = course.scene();
        this.agenda = course.agenda();
    }

    /// Nodes that go already when the forecast begins. What is on its way then is taken for what
    /// they wait for: which of it is, only the operator remembers.
    void begin() {
        var coming =
                scene.units().stream()
                        .filter(unit -> unit.stage() == Unit.Stage.COMING)
                        .map(Unit::name)
                        .toList();
        for (var unit : List.copyOf(scene.units())) {
            switch (unit.stage()) {
                case QUEUED -> {
                    told(unit);
                    add(List.of(unit), coming);
                }
                case DRAINING -> {
                    if (unit.isManaged()) {
                        told(unit);
                        agenda.at(agenda.now(), () -> drain(unit));
                    }
                }
                case LEAVING ->
                        agenda.at(agenda.now().plus(course.pace().termination()), () -> gone(unit));
                case COMING, READY -> {}
            }
        }
    }

    private void told(Unit unit) {
        course.actions()
                .add(
                        new Action.Remove(
                                course.elapsed(),
                                unit.purchase(),
                                null,
                                unit.pods().stream()
                                        .filter(Drains::mustLeave)
                                        .map(Pod::name)
                                        .toList(),
                                List.of()));
    }

    void add(List<Unit> going, List<String> replacements) {
        pending.add(new Pending(going, replacements));
        agenda.at(agenda.now(), this::retry);
    }

    /// Something has changed: replacements may be up, budgets may have room.
    void retry() {
        for (var each : List.copyOf(pending)) {
            if (each.replacements().stream().allMatch(this::isUp)) {
                pending.remove(each);
                each.going().forEach(unit -> unit.enter(Unit.Stage.DRAINING));
                each.going().forEach(this::drain);
            }
        }
        for (var unit : List.copyOf(scene.units())) {
            if (unit.stage() == Unit.Stage.DRAINING
                    && unit.isManaged()
                    && unit.pods().stream().anyMatch(Drains::mustLeave)) {
                agenda.at(agenda.now(), () -> drain(unit));
            }
        }
    }

    private boolean isUp(String node) {
        var unit = scene.unit(node);
        return unit == null || unit.stage() != Unit.Stage.COMING;
    }

    private static boolean mustLeave(Pod pod) {
        return pod.isEvictable() && !pod.state().isOwnedByDaemonSet();
    }

    private void drain(Unit unit) {
        if (scene.unit(unit.name()) != unit || unit.stage() != Unit.Stage.DRAINING) {
            return;
        }
        var now = agenda.now();
        var hasEvicted = false;
        for (var pod : List.copyOf(unit.pods())) {
            if (mustLeave(pod) && isFree(unit, pod, now)) {
                scene.evict(pod, unit, now);
                hasEvicted = true;
            }
        }
        if (unit.pods().stream().noneMatch(Drains::mustLeave)) {
            unit.enter(Unit.Stage.LEAVING);
            agenda.at(
                    now.plus(course.pace().drainMin()).plus(course.pace().termination()),
                    () -> gone(unit));
        }
        if (hasEvicted) {
            agenda.at(now, course::bind);
        }
    }

    /// A node whose claim bounds how long pods may stay does not wait for them for ever; that is
    /// taken as if it were over.
    private boolean isFree(Unit unit, Pod pod, Instant now) {
        return unit.standing().terminationGracePeriod() != null
                || (!pod.isGuarded(now) && scene.budgets().atPresent(pod).isFree());
    }

    private void gone(Unit unit) {
        if (scene.unit(unit.name()) == unit) {
            scene.remove(unit);
            course.fillStaticPools();
            course.changed();
        }
    }
}
