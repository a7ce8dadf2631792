package dev.millwright.addons.manager;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;

/// A controller that looks at proxies with one value of the filter's label alone. A release proxy
/// without the label goes by its chart proxy: those are made by us, and a label that changes later
/// would leave them behind. One that is gone belongs to nobody: the controller may have something
/// to forget.
///
/// @param watchFilter empty for all
record Scoped(Kind<RawObject> subject, Controller controller, String watchFilter)
        implements Controller {

    static final String LABEL = "cluster.x-k8s.io/watch-filter";

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public List<Watch<?>> watches() {
        return controller.watches();
    }

    @Override
    public Pace pace() {
        return controller.pace();
    }

    @Override
    public List<ObjectName> initialKeys() {
        return controller.initialKeys();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var object = view.cache(subject).find(key);
        return watchFilter.isEmpty() || object == null || watchFilter.equals(label(view, object))
                ? controller.step(view, key, now)
                : Step.DONE;
    }

    private static String label(View view, RawObject object) {
        var own = object.meta().label(LABEL);
        var chart = object.meta().label(AddonTypes.CHART_PROXY_NAME);
        if (!own.isEmpty() || chart.isEmpty()) {
            return own;
        }
        var maker =
                view.cache(AddonTypes.CHART_PROXY)
                        .find(new ObjectName(object.name().namespace(), chart));
        return maker == null ? own : maker.meta().label(LABEL);
    }
}
