package dev.millwright.providers.aws.trial;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.NodePool;
import dev.millwright.providers.aws.image.ImageChoice;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Which machine a class is tried with.
public record TrialChoice(InstanceType type, Ami ami, String tenancy) {

    /// Cheap and offered everywhere; one for each architecture.
    private static final List<String> FALLBACKS = List.of("m5.large", "m6g.large");

    private static final String DEDICATED = "dedicated";

    /// A type that pools of the class would launch and that takes an image without drivers, as far
    /// as there is one; null when no type takes any of the images.
    ///
    /// @param types those that the class's settings allow
    public static @Nullable TrialChoice of(
            List<InstanceType> types,
            List<NodePool> pools,
            Ec2NodeClass nodeClass,
            LabelVocabulary vocabulary) {
        TrialChoice any = null;
        for (var type : candidates(types, pools, nodeClass, vocabulary)) {
            var ami = ImageChoice.of(nodeClass.status().amis(), type, vocabulary);
            if (ami == null) {
                continue;
            }
            var choice = new TrialChoice(type, ami, tenancy(pools, vocabulary));
            if (ImageChoice.isStandard(ami)) {
                return choice;
            }
            any = any == null ? choice : any;
        }
        return any;
    }

    private static List<InstanceType> candidates(
            List<InstanceType> types,
            List<NodePool> pools,
            Ec2NodeClass nodeClass,
            LabelVocabulary vocabulary) {
        var wanted = new ArrayList<InstanceType>();
        // Pools of Windows tend to name no type: what they would launch says little.
        if (!nodeClass.spec().family().isWindows()) {
            for (var type : types) {
                if (pools.stream().anyMatch(pool -> isWanted(type, pool, vocabulary))) {
                    wanted.add(type);
                }
            }
        }
        if (!wanted.isEmpty()) {
            return wanted;
        }
        var fallbacks = types.stream().filter(type -> FALLBACKS.contains(type.name())).toList();
        return fallbacks.isEmpty() ? types : fallbacks;
    }

    private static boolean isWanted(InstanceType type, NodePool pool, LabelVocabulary vocabulary) {
        return type.requirements()
                .isCompatible(pool.domainRequirements(vocabulary), vocabulary.wellKnown());
    }

    private static String tenancy(List<NodePool> pools, LabelVocabulary vocabulary) {
        return pools.stream().anyMatch(pool -> allowsDedicated(pool, vocabulary))
                ? DEDICATED
                : "default";
    }

    /// A pool that says nothing of tenancy means the default one.
    private static boolean allowsDedicated(NodePool pool, LabelVocabulary vocabulary) {
        var requirement = pool.domainRequirements(vocabulary).orNull(Ec2Labels.TENANCY);
        return requirement != null && requirement.has(DEDICATED);
    }
}
