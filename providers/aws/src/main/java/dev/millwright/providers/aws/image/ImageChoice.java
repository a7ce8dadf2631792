package dev.millwright.providers.aws.image;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Which of a class's images an instance type takes.
public final class ImageChoice {

    private ImageChoice() {}

    /// The first, in the order of the status, whose requirements the type meets; null when none is
    /// made for it.
    public static @Nullable Ami of(List<Ami> amis, InstanceType type, LabelVocabulary vocabulary) {
        for (var ami : amis) {
            if (type.requirements()
                    .isCompatible(
                            requirements(ami.requirements(), vocabulary), vocabulary.wellKnown())) {
                return ami;
            }
        }
        return null;
    }

    private static Requirements requirements(
            List<SelectorRequirement> written, LabelVocabulary vocabulary) {
        return Requirements.of(
                written.stream()
                        .map(
                                each ->
                                        vocabulary.requirement(
                                                each.key(), each.operator(), null, each.values()))
                        .toArray(Requirement[]::new));
    }

    /// Whether the image comes without drivers for GPUs and accelerators.
    public static boolean isStandard(Ami ami) {
        return ami.requirements().stream()
                .noneMatch(
                        each ->
                                each.operator() == Operator.EXISTS
                                        && (each.key().equals(Ec2Labels.GPU_COUNT)
                                                || each.key().equals(Ec2Labels.ACCELERATOR_COUNT)));
    }
}
