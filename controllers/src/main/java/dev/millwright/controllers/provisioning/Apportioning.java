package dev.millwright.controllers.provisioning;

import dev.millwright.controllers.nodepool.PoolMix;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.CapacityMix.Counts;
import dev.millwright.core.scheduling.LaunchChoice;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.object.PoolObject;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Decides for the claims of one plan, in its order, which are to be on-demand and which spot,
/// where their pool says how many of each.
///
/// That pods run comes first: a claim that cannot be had as it should be stays as it was planned.
final class Apportioning {

    private final PlanEffects.Pass pass;
    private final Map<String, Counts> countsByPool = new HashMap<>();

    Apportioning(PlanEffects.Pass pass) {
        this.pass = pass;
    }

    PlannedClaim of(PoolObject pool, PlannedClaim claim) {
        var mix = PoolMix.of(pool);
        if (mix == null || !claim.reservationIds().isEmpty()) {
            return claim;
        }
        var name = claim.nodePool();
        var counts = countsByPool.computeIfAbsent(name, _ -> PoolMix.counts(pass.view(), name));
        var wanted = narrowed(claim, mix.next(counts));
        countsByPool.put(name, counts.and(capacityType(wanted)));
        return wanted;
    }

    private PlannedClaim narrowed(PlannedClaim claim, String capacityType) {
        var byName =
                pass.problem().catalogs().getOrDefault(claim.nodePool(), List.of()).stream()
                        .collect(
                                Collectors.toMap(
                                        type -> type.name(), Function.identity(), (one, _) -> one));
        var choice =
                LaunchChoice.of(claim, byName, pass.problem().policy().vocabulary())
                        .as(capacityType);
        return choice.isEmpty() || choice.unmetMinValues() != null ? claim : choice.claim();
    }

    /// What a launch goes for first.
    private static String capacityType(PlannedClaim claim) {
        var wanted = claim.requirements().on(LabelKeys.CAPACITY_TYPE);
        var isSpot =
                wanted.has(LabelKeys.CAPACITY_TYPE_SPOT)
                        && claim.types().stream()
                                .anyMatch(
                                        each ->
                                                each.capacityType()
                                                        .equals(LabelKeys.CAPACITY_TYPE_SPOT));
        return isSpot ? LabelKeys.CAPACITY_TYPE_SPOT : LabelKeys.CAPACITY_TYPE_ON_DEMAND;
    }
}
