package dev.millwright.core.policy;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A NodePool: what machines may be bought for pods, how many, and in which order pools are tried.
///
/// A pool with `replicas` is static: it keeps that many nodes and takes no part in buying for pods.
/// Absent limits bound nothing. `nodeFeePerHour` is what the pool says a node costs beside its
/// machine; null leaves it to the operator's setting.
public record NodePool(
        String name,
        int weight,
        Resources limits,
        Template template,
        @Nullable Long replicas,
        boolean isReady,
        boolean isDeleting,
        @Nullable Double nodeFeePerHour) {

    /// One that says nothing of a fee.
    public NodePool(
            String name,
            int weight,
            Resources limits,
            Template template,
            @Nullable Long replicas,
            boolean isReady,
            boolean isDeleting) {
        this(name, weight, limits, template, replicas, isReady, isDeleting, null);
    }

    /// What every node of the pool is made like.
    public record Template(
            SequencedMap<String, String> labels,
            SequencedMap<String, String> annotations,
            List<Requirement> requirements,
            List<Taint> taints,
            List<Taint> startupTaints,
            NodeClassRef nodeClassRef) {

        public Template {
            labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
            annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
            requirements = List.copyOf(requirements);
            taints = List.copyOf(taints);
            startupTaints = List.copyOf(startupTaints);
        }
    }

    /// The provider's object with the details of the machine.
    public record NodeClassRef(String group, String kind, String name) {

        /// The label by which nodes of this class are recognised.
        public String labelKey() {
            return group + "/" + kind.toLowerCase(java.util.Locale.ROOT);
        }
    }

    /// Heavier first; of equal weight the name later in the alphabet first.
    public static final Comparator<NodePool> ORDER =
            Comparator.comparingInt(NodePool::weight).thenComparing(NodePool::name).reversed();

    public NodePool withLimits(Resources others) {
        return new NodePool(
                name, weight, others, template, replicas, isReady, isDeleting, nodeFeePerHour);
    }

    public NodePool withNodeFee(@Nullable Double perHour) {
        return new NodePool(name, weight, limits, template, replicas, isReady, isDeleting, perHour);
    }

    public NodePool withRequirements(List<Requirement> others) {
        return with(
                new Template(
                        template.labels(),
                        template.annotations(),
                        others,
                        template.taints(),
                        template.startupTaints(),
                        template.nodeClassRef()));
    }

    public NodePool withLabels(SequencedMap<String, String> others) {
        return with(
                new Template(
                        others,
                        template.annotations(),
                        template.requirements(),
                        template.taints(),
                        template.startupTaints(),
                        template.nodeClassRef()));
    }

    public NodePool withTaints(List<Taint> others) {
        return with(
                new Template(
                        template.labels(),
                        template.annotations(),
                        template.requirements(),
                        others,
                        template.startupTaints(),
                        template.nodeClassRef()));
    }

    private NodePool with(Template other) {
        return new NodePool(
                name, weight, limits, other, replicas, isReady, isDeleting, nodeFeePerHour);
    }

    public boolean isStatic() {
        return replicas != null;
    }

    /// Whether nodes may be bought from the pool for pods that wait.
    public boolean isOpenForPods() {
        return isReady && !isDeleting && !isStatic();
    }

    /// Requirements and labels of the template alone, as they bound the values a label can take in
    /// this pool.
    public Requirements domainRequirements(LabelVocabulary vocabulary) {
        return Requirements.of(template.requirements()).and(vocabulary.labels(template.labels()));
    }

    /// All that a node of this pool promises. The registered and initialised labels are part of it
    /// only so that daemons which select on them are counted.
    public Requirements nodeRequirements(LabelVocabulary vocabulary) {
        var reference = template.nodeClassRef();
        return domainRequirements(vocabulary)
                .and(
                        List.of(
                                Requirement.in(LabelKeys.NODE_POOL, name),
                                Requirement.in(reference.labelKey(), reference.name()),
                                Requirement.in(LabelKeys.REGISTERED, "true"),
                                Requirement.in(LabelKeys.INITIALIZED, "true")));
    }
}
