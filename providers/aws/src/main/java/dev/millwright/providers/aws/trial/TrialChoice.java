package dev.millwright.providers.aws.trial;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.policy.NodePool;
import dev.millwright.providers.aws.instancetype.ImageChoice;
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

    private static final List<String> DEVICE_COUNTS =
            List.of(Ec2Labels.GPU_COUNT, Ec2Labels.ACCELERATOR_COUNT);

    private static final String DEDICATED = "dedicated";

    /// A type that pools of the class would launch and that takes an image without drivers, as far
    /// as there is one; null when no type takes any of the images.
    ///
    /// A type that is not for sale is tried only where none is: one that the class's settings rule
    /// out would fail for its own reasons. Types without an image take part, so that pools which
    /// ask for nothing else are told.
    public static @Nullable TrialChoice of(
            List<InstanceType> types,
            List<NodePool> pools,
            Ec2NodeClass nodeClass,
            LabelVocabulary vocabulary) {
        var amis = nodeClass.status().amis();
        var isAnyForSale = types.stream().anyMatch(TrialChoice::isForSale);
        var tried =
                types.stream()
                        .filter(
                                type ->
                                        !isAnyForSale
                                                || isForSale(type)
                                                || ImageChoice.of(type.requirements(), amis)
                                                        == null)
                        .toList();
        TrialChoice any = null;
        for (var type : candidates(tried, pools, nodeClass, vocabulary)) {
            var ami = ImageChoice.of(type.requirements(), amis);
            if (ami == null) {
                continue;
            }
            var choice = new TrialChoice(type, ami, tenancy(pools, vocabulary));
            if (isStandard(ami)) {
                return choice;
            }
            any = any == null ? choice : any;
        }
        return any;
    }

    private static boolean isForSale(InstanceType type) {
        return type.offerings().stream().anyMatch(Offering::isAvailable);
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

    /// Whether the image comes without drivers for GPUs and accelerators.
    private static boolean isStandard(Ami ami) {
        return ami.requirements().stream()
                .noneMatch(
                        each ->
                                each.operator() == Operator.EXISTS
                                        && DEVICE_COUNTS.contains(each.key()));
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
