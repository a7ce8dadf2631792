package dev.millwright.core.policy;

import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.GoHash.Structure;
import dev.millwright.core.policy.NodePool.NodeClassRef;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;

/// The hash by which a NodeClaim knows whether its pool's template has changed since.
///
/// Bit for bit Karpenter's: another number under the same version would replace every node of a
/// fleet on the day we take over.
public final class NodePoolHash {

    /// What `karpenter.sh/nodepool-hash-version` says of this recipe.
    public static final String VERSION = "v3";

    private NodePoolHash() {}

    /// The part of a NodePool's template that is hashed. Requirements are not in it: they drift by
    /// themselves.
    ///
    /// A list or map that the object leaves out is null here; one that is written but empty is
    /// empty, and counts.
    public record HashInput(
            @Nullable SequencedMap<String, String> labels,
            @Nullable SequencedMap<String, String> annotations,
            @Nullable List<Taint> taints,
            @Nullable List<Taint> startupTaints,
            NodeClassRef nodeClassRef,
            @Nullable Duration terminationGracePeriod,
            @Nullable Duration expireAfter) {

        /// Of a template, as if its empty lists and maps had been left out. No `expireAfter` means
        /// `Never`.
        public static HashInput of(
                NodePool.Template template,
                @Nullable Duration terminationGracePeriod,
                @Nullable Duration expireAfter) {
            return new HashInput(
                    template.labels().isEmpty() ? null : template.labels(),
                    template.annotations().isEmpty() ? null : template.annotations(),
                    template.taints().isEmpty() ? null : template.taints(),
                    template.startupTaints().isEmpty() ? null : template.startupTaints(),
                    template.nodeClassRef(),
                    terminationGracePeriod,
                    expireAfter);
        }
    }

    /// The annotation's text: the hash as an unsigned decimal.
    public static String of(HashInput input) {
        var metadata =
                new Structure("ObjectMeta")
                        .with("Labels", map(input.labels()))
                        .with("Annotations", map(input.annotations()));
        var grace = input.terminationGracePeriod();
        var expiry = input.expireAfter();
        var spec =
                new Structure("NodeClaimTemplateSpec")
                        .with("Taints", taints(input.taints()))
                        .with("StartupTaints", taints(input.startupTaints()))
                        .with("NodeClassRef", nodeClassRef(input.nodeClassRef()))
                        .with("TerminationGracePeriod", grace == null ? null : plain(grace))
                        .with("ExpireAfter", expiry == null ? null : nillable(expiry));
        var template =
                new Structure("NodeClaimTemplate")
                        .with("ObjectMeta", metadata.isZero() ? null : metadata.hash())
                        .with("Spec", spec.hash());
        return Long.toUnsignedString(template.hash());
    }

    private static @Nullable Long map(@Nullable SequencedMap<String, String> entries) {
        if (entries == null) {
            return null;
        }
        var sum = 0L;
        for (var entry : entries.entrySet()) {
            sum ^= GoHash.words(GoHash.text(entry.getKey()), GoHash.text(entry.getValue()));
        }
        return GoHash.words(sum);
    }

    /// A list is a set: order is nothing, and two alike cancel out.
    private static @Nullable Long taints(@Nullable List<Taint> taints) {
        if (taints == null) {
            return null;
        }
        var sum = 0L;
        for (var taint : taints) {
            sum ^=
                    new Structure("Taint")
                            .with("Key", taint.key())
                            .with("Value", taint.value())
                            .with("Effect", taint.effect().text())
                            .hash();
        }
        return sum;
    }

    private static long nodeClassRef(NodeClassRef reference) {
        return new Structure("NodeClassReference")
                .with("Kind", reference.kind())
                .with("Name", reference.name())
                .with("Group", reference.group())
                .hash();
    }

    /// A Go duration by value: no time at all is zero, and left out of its own structure.
    private static long plain(Duration duration) {
        return new Structure("Duration")
                .with("Duration", duration.isZero() ? null : Long.valueOf(nanos(duration)))
                .hash();
    }

    /// A Go duration by pointer: no time at all is still a value.
    private static long nillable(Duration duration) {
        return new Structure("NillableDuration").with("Duration", nanos(duration)).hash();
    }

    private static long nanos(Duration duration) {
        return GoHash.words(duration.toNanos());
    }
}
