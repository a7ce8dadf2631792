package dev.millwright.controllers.nodeclaim;

import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Meta;
import dev.millwright.runtime.step.Pace;

import java.time.Duration;

/// The label that names the class of a claim. It makes nodes recognisable as ours.
public record ClassLabel(String key, String value) {

    private static final int AT_ONCE_MIN = 1_000;
    private static final int AT_ONCE_MAX = 5_000;
    private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofMinutes(1);

    public static ClassLabel of(ClaimObject claim) {
        var reference = claim.spec().nodeClassRef();
        return new ClassLabel(reference.labelKey(), reference.name());
    }

    public boolean isOn(Meta meta) {
        return value.equals(meta.labels().get(key));
    }

    public ApiWrite patch(ResourceType type, ObjectName name) {
        return new ApiWrite.Patch(
                type,
                name,
                PatchKind.MERGE,
                Subresource.NONE,
                Tree.of("metadata", Tree.of("labels", Tree.of(key, value))).mapping());
    }

    /// Of those who write it.
    public static Pace pace(double cores) {
        return Pace.of(Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores))
                .withBackoff(BACKOFF_MIN, BACKOFF_MAX);
    }
}
