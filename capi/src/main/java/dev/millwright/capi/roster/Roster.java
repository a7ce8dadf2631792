package dev.millwright.capi.roster;

import dev.millwright.controllers.step.Controller;
import dev.millwright.controllers.step.Pace;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.object.RawObject;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// All controllers of the provider, by the half they belong to.
public final class Roster {

    private final Scope scope;
    private final int concurrency;

    /// @param concurrency objects of a kind that are looked at side by side
    public Roster(Scope scope, int concurrency) {
        this.scope = scope;
        this.concurrency = concurrency;
    }

    public List<Controller> controllers(Collection<Half> halves) {
        var controllers = new ArrayList<Controller>();
        if (halves.contains(Half.INFRASTRUCTURE)) {
            controllers.addAll(infrastructure());
        }
        if (halves.contains(Half.CONTROL_PLANE)) {
            controllers.addAll(controlPlane());
        }
        return controllers;
    }

    private List<Controller> infrastructure() {
        return List.of();
    }

    private List<Controller> controlPlane() {
        return List.of();
    }

    Controller scoped(Kind<RawObject> subject, Controller controller) {
        var pace = controller.pace();
        return new Scoped(
                subject,
                controller,
                scope,
                new Pace(
                        concurrency,
                        pace.backoffMin(),
                        pace.backoffMax(),
                        pace.perSecond(),
                        pace.burst()));
    }
}
