package dev.millwright.capi.machine.deployment;

import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Refusal;
import dev.millwright.capi.machine.object.Template;
import dev.millwright.capi.machine.roll.Bounds;
import dev.millwright.capi.machine.roll.RollPlan.Strategy;
import dev.millwright.capi.machine.roll.Share;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// What a deployment is told.
///
/// @param rollBackTo the revision to go back to, 0 being the previous one; null when not asked for
/// @param fault what is wrong with it, for a person; empty when nothing is. The rest is then made
///   up
record DeploymentSpec(
        Template template,
        Strategy strategy,
        Bounds bounds,
        Duration minReady,
        int historyMax,
        boolean isPaused,
        Duration progressDeadline,
        @Nullable Long rollBackTo,
        String fault) {

    private static final Share SURGE_DEFAULT = new Share(1, false);
    private static final Share UNAVAILABLE_DEFAULT = new Share(0, false);
    private static final int HISTORY_DEFAULT = 10;
    private static final int DEADLINE_SECONDS_DEFAULT = 600;
    private static final int PERCENT_MAX = 100;

    static DeploymentSpec of(RawObject deployment) {
        var faults = new Faults();
        var spec = deployment.root(faults).at("spec");
        var replicas = spec.at("replicas").whole(0, Integer.MAX_VALUE, 1);
        var template = Template.of(spec);
        if (!template.isMatched()) {
            spec.at("selector")
                    .fault(
                            "does not select machines of the template; wanted labels of spec.template.metadata");
        }
        var minReady = spec.at("minReadySeconds").whole(0, Integer.MAX_VALUE, 0);
        var deadline =
                spec.at("progressDeadlineSeconds")
                        .whole(1, Integer.MAX_VALUE, DEADLINE_SECONDS_DEFAULT);
        if (deadline <= minReady) {
            spec.at("progressDeadlineSeconds")
                    .fault(
                            "found %d; wanted more than minReadySeconds %d"
                                    .formatted(deadline, minReady));
        }
        return new DeploymentSpec(
                template,
                strategy(spec.at("strategy").at("type")),
                bounds(spec.at("strategy").at("rollingUpdate"), replicas),
                Duration.ofSeconds(minReady),
                spec.at("revisionHistoryLimit").whole(0, Integer.MAX_VALUE, HISTORY_DEFAULT),
                spec.at("paused").isTrue(),
                Duration.ofSeconds(deadline),
                rollBackTo(deployment, spec),
                Refusal.of(faults));
    }

    private static Strategy strategy(Field type) {
        return switch (type.text("")) {
            case "", "RollingUpdate" -> Strategy.ROLLING_UPDATE;
            case "Recreate" -> Strategy.RECREATE;
            default -> {
                type.fault(
                        "found \"%s\"; wanted RollingUpdate or Recreate".formatted(type.text("")));
                yield Strategy.ROLLING_UPDATE;
            }
        };
    }

    private static Bounds bounds(Field rolling, int replicas) {
        var surge = share(rolling.at("maxSurge"), SURGE_DEFAULT);
        var unavailable = share(rolling.at("maxUnavailable"), UNAVAILABLE_DEFAULT);
        if (unavailable.isPercent() && unavailable.amount() > PERCENT_MAX) {
            rolling.at("maxUnavailable")
                    .fault("found %s; wanted at most 100%%".formatted(unavailable));
        }
        if (surge.isZero() && unavailable.isZero()) {
            rolling.fault(
                    "maxSurge and maxUnavailable are both 0; wanted one of them above 0, else nothing could be replaced");
        }
        return Bounds.of(replicas, surge, unavailable);
    }

    private static Share share(Field field, Share fallback) {
        var text = field.textOrNumber();
        if (text == null) {
            return fallback;
        }
        var share = Share.parse(text);
        if (share == null) {
            field.fault(
                    "found %s; wanted a whole number such as 1, or a part such as \"25%%\""
                            .formatted(text));
            return fallback;
        }
        return share;
    }

    /// Not a number, and it is a revision that is not there.
    private static @Nullable Long rollBackTo(RawObject deployment, Field spec) {
        var field = spec.at("rollbackTo");
        if (field.isPresent()) {
            var revision = field.at("revision").whole(0, Long.MAX_VALUE);
            return revision == null ? 0 : revision;
        }
        var text = deployment.meta().annotation(Marks.ROLL_BACK);
        if (text == null) {
            return null;
        }
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : Long.MAX_VALUE;
    }
}
