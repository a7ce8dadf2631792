package dev.millwright.controllers.nodeclaim.hydration;

import dev.millwright.controllers.nodeclaim.ClassLabel;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;

/// Claims made before the label was invented, or by hand, get it; a wrong one is mended.
public final class ClaimHydrationController implements Controller {

    private final Pace pace;

    public ClaimHydrationController(double cores) {
        this.pace = ClassLabel.pace(cores);
    }

    @Override
    public String name() {
        return "nodeclaim.hydration";
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(new Watch<>(Kind.NODE_CLAIM, ClaimHydrationController::ofClaim));
    }

    private static List<ObjectName> ofClaim(View view, Change<ClaimObject> change) {
        var claim = change.after();
        return claim != null && lacksLabel(claim) ? List.of(change.name()) : List.of();
    }

    private static boolean lacksLabel(ClaimObject claim) {
        return !ClassLabel.of(claim).isOn(claim.meta());
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claim = view.claim(key.name());
        return claim == null || !view.isManaged(claim.spec().nodeClassRef()) || !lacksLabel(claim)
                ? Step.DONE
                : Step.of(
                        new Effect.Write(
                                ClassLabel.of(claim).patch(ResourceType.NODE_CLAIM, claim.name())));
    }
}
