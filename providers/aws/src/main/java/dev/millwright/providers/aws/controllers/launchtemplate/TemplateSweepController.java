package dev.millwright.providers.aws.controllers.launchtemplate;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.launch.LaunchTemplates;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// Deletes launch templates that have not been used for a while. Those that an earlier leader left
/// behind are taken over first.
public final class TemplateSweepController implements Singleton {

    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final LaunchTemplates templates;
    private final String cluster;
    private volatile boolean isHydrated;

    public TemplateSweepController(LaunchTemplates templates, String cluster) {
        this.templates = templates;
        this.cluster = cluster;
    }

    @Override
    public String name() {
        return "launchtemplate.garbagecollection";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        return Step.of(
                        new Effect.Ask<>(
                                "delete unused launch templates",
                                Effect.Ask.Touch.CHANGES,
                                this::sweep,
                                TemplateSweepController::swept))
                .thenAgain(PERIOD);
    }

    private List<AwsFault> sweep() {
        if (!isHydrated) {
            try {
                templates.hydrate(cluster);
                isHydrated = true;
            } catch (AwsFault fault) {
                return List.of(fault);
            }
        }
        return templates.sweep();
    }

    private static Step swept(List<AwsFault> faults) {
        return faults.isEmpty()
                ? Step.DONE
                : Step.failed(
                        "launch templates cannot be deleted: "
                                + faults.stream()
                                        .map(AwsFault::text)
                                        .distinct()
                                        .collect(Collectors.joining("; ")));
    }
}
