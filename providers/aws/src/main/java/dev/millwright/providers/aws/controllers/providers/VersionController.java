package dev.millwright.providers.aws.controllers.providers;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.image.ClusterVersion;
import dev.millwright.providers.aws.image.KubernetesVersion;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Keeps up with the version of the control plane, by which images are chosen.
public final class VersionController implements Singleton {

    private static final Duration PERIOD = Duration.ofMinutes(5);

    private final ClusterVersion version;

    /// What the log was last told of.
    private volatile @Nullable KubernetesVersion told;

    public VersionController(ClusterVersion version) {
        this.version = version;
    }

    @Override
    public String name() {
        return "providers.version";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        return Step.of(
                new Effect.Ask<>(
                        "the control plane's version",
                        Touch.READS,
                        () -> Asked.of(version::refresh),
                        this::heard));
    }

    private Step heard(Asked<KubernetesVersion> asked) {
        return switch (asked) {
            case Asked.Refused<KubernetesVersion>(var fault) ->
                    Step.failed("the control plane's version is not told: " + fault.text());
            case Asked.Told<KubernetesVersion>(var latest) when latest.equals(told) ->
                    Step.again(PERIOD);
            case Asked.Told<KubernetesVersion>(var latest) ->
                    Step.of(news(latest)).thenAgain(PERIOD);
        };
    }

    private List<Effect> news(KubernetesVersion latest) {
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Say(
                        LogLevel.DEBUG, "discovered kubernetes version", "version", "" + latest));
        var unsupported = latest.unsupported();
        if (unsupported != null) {
            effects.add(
                    new Effect.Say(
                            LogLevel.ERROR,
                            "kubernetes version is not supported",
                            "why",
                            unsupported));
        }
        effects.add(new Effect.Remember("the version that was told", () -> told = latest));
        return effects;
    }
}
