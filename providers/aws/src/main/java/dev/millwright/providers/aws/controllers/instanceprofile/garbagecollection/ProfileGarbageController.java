package dev.millwright.providers.aws.controllers.instanceprofile.garbagecollection;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.controllers.Classes;
import dev.millwright.providers.aws.nodeclass.NodeClassKeys;
import dev.millwright.providers.aws.profile.InstanceProfiles;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;

/// Deletes the instance profiles of this cluster that no class and no claim has.
///
/// A class whose role changed has another profile; the one before is kept until the last node that
/// was launched with it is gone.
public final class ProfileGarbageController implements Singleton {

    private static final Duration PERIOD = Duration.ofMinutes(30);

    private final Kind<NodeClassObject> kind;
    private final InstanceProfiles profiles;

    public ProfileGarbageController(Kind<NodeClassObject> kind, InstanceProfiles profiles) {
        this.kind = kind;
        this.profiles = profiles;
    }

    @Override
    public String name() {
        return "instanceprofile.garbagecollection";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var used = used(view);
        return Step.of(
                new Effect.Ask<>(
                        "to delete instance profiles that nobody has",
                        Touch.CHANGES,
                        () -> Asked.of(() -> profiles.sweep(used)),
                        ProfileGarbageController::swept));
    }

    private Set<String> used(View view) {
        var used = new TreeSet<String>();
        for (var nodeClass : Classes.in(view, kind)) {
            var profile = nodeClass.status().instanceProfile();
            if (profile != null) {
                used.add(profile);
            }
        }
        for (var claim : view.claims()) {
            var profile = claim.meta().annotation(NodeClassKeys.INSTANCE_PROFILE);
            if (profile != null && view.isManaged(claim.spec().nodeClassRef())) {
                used.add(profile);
            }
        }
        return used;
    }

    private static Step swept(Asked<InstanceProfiles.Swept> asked) {
        return switch (asked) {
            case Asked.Refused<InstanceProfiles.Swept>(var fault) ->
                    Step.failed("instance profiles cannot be listed: " + fault.text());
            case Asked.Told<InstanceProfiles.Swept>(var swept) -> {
                var effects = new ArrayList<Effect>();
                for (var name : swept.deleted()) {
                    effects.add(
                            new Effect.Say(
                                    LogLevel.INFO, "deleted instance profile", "name", name));
                }
                var step = Step.of(effects);
                yield swept.failures().isEmpty()
                        ? step.thenAgain(PERIOD)
                        : step.thenFailed(String.join("; ", swept.failures()));
            }
        };
    }
}
