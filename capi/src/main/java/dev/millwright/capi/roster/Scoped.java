package dev.millwright.capi.roster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;

/// A controller that looks at objects of ours alone. One that is gone belongs to nobody: the
/// controller may have something to forget.
record Scoped(Kind<RawObject> subject, Controller controller, Scope scope, Pace pace)
        implements Controller {

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public List<Watch<?>> watches() {
        return controller.watches();
    }

    @Override
    public List<ObjectName> initialKeys() {
        return controller.initialKeys();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var object = view.cache(subject).find(key);
        return object == null || scope.holds(view, object)
                ? controller.step(view, key, now)
                : Step.DONE;
    }
}
