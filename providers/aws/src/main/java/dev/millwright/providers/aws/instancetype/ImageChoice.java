package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Which of a class's images a type is started from.
public final class ImageChoice {

    private ImageChoice() {}

    /// The first image, in the order of the status, that the type meets; null when it meets none.
    public static @Nullable Ami of(Requirements type, List<Ami> amis) {
        for (var ami : amis) {
            if (type.isCompatible(requirements(ami), Ec2Labels.VOCABULARY.wellKnown())) {
                return ami;
            }
        }
        return null;
    }

    private static Requirements requirements(Ami ami) {
        return Requirements.of(
                ami.requirements().stream()
                        .map(
                                each ->
                                        Requirement.of(
                                                each.key(),
                                                each.operator(),
                                                each.minValues(),
                                                each.values()))
                        .toList());
    }
}
