package dev.millwright.controllers.nodeclaim.disruption;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/// Whether a claim is still what its pool and its catalogue would make, as far as objects tell.
final class Drift {

    static final String POOL = "NodePoolDrifted";
    static final String REQUIREMENTS = "RequirementsDrifted";
    static final String INSTANCE_TYPE = "InstanceTypeNotFound";

    /// Ours: the claim is as old as its pool wants claims to be.
    static final String SOFT_EXPIRED = "SoftExpired";

    private final LabelVocabulary vocabulary;

    Drift(LabelVocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// The first reason, or null.
    @Nullable String fromPool(ClaimObject claim, PoolObject pool) {
        if (hasOtherTemplate(claim, pool)) {
            return POOL;
        }
        var wanted = Requirements.of(pool.pool().template().requirements());
        return labels(claim).isCompatible(wanted, Set.of()) ? null : REQUIREMENTS;
    }

    /// Hashes of different versions tell nothing of each other, nor does one that is missing.
    private static boolean hasOtherTemplate(ClaimObject claim, PoolObject pool) {
        var hash = claim.meta().annotation(AnnotationKeys.NODE_POOL_HASH);
        var version = claim.meta().annotation(AnnotationKeys.NODE_POOL_HASH_VERSION);
        var poolHash = pool.meta().annotation(AnnotationKeys.NODE_POOL_HASH);
        var poolVersion = pool.meta().annotation(AnnotationKeys.NODE_POOL_HASH_VERSION);
        return hash != null
                && poolHash != null
                && version != null
                && version.equals(poolVersion)
                && !hash.equals(poolHash);
    }

    /// Whether the claim's machine is sold at all, be it available now or not.
    boolean isSold(ClaimObject claim, List<InstanceType> types) {
        var labels = bought(labels(claim));
        var name = claim.meta().label(LabelKeys.INSTANCE_TYPE);
        return types.stream()
                .filter(type -> type.name().equals(name))
                .flatMap(type -> type.offerings().stream())
                .anyMatch(
                        offering ->
                                labels.isCompatible(
                                        offering.requirements(), vocabulary.wellKnown()));
    }

    /// A reserved machine outlives its reservation: then it is an on-demand one.
    private Requirements bought(Requirements labels) {
        if (!labels.on(LabelKeys.CAPACITY_TYPE).has(LabelKeys.CAPACITY_TYPE_RESERVED)
                || !labels.has(LabelKeys.CAPACITY_TYPE)) {
            return labels;
        }
        return labels.without(vocabulary.reservationIdKey())
                .replace(
                        Requirement.of(
                                LabelKeys.CAPACITY_TYPE,
                                Operator.IN,
                                null,
                                List.of(
                                        LabelKeys.CAPACITY_TYPE_RESERVED,
                                        LabelKeys.CAPACITY_TYPE_ON_DEMAND)));
    }

    private Requirements labels(ClaimObject claim) {
        return vocabulary.labels(claim.meta().labels());
    }
}
