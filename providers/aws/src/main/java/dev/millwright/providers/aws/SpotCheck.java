package dev.millwright.providers.aws;

import dev.millwright.controllers.nodepool.PoolMix;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.SpotReturn;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.offering.Overlays;
import dev.millwright.providers.aws.offering.SpotMemory;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;

/// Whether a machine that is on-demand for want of spot may be spot again, for less. Only pools
/// that ask for it are looked at.
///
/// Whether its pods would take a spot node is for the simulation to find out; it replaces such a
/// machine by spot or not at all.
final class SpotCheck {

    private final View view;
    private final TypeCatalogue catalogue;
    private final Overlays overlays;
    private final PlacementGroups groups;
    private final SpotMemory memory;
    private final InstantSource clock;

    SpotCheck(
            View view,
            TypeCatalogue catalogue,
            Overlays overlays,
            PlacementGroups groups,
            SpotMemory memory,
            InstantSource clock) {
        this.view = view;
        this.catalogue = catalogue;
        this.overlays = overlays;
        this.groups = groups;
        this.memory = memory;
        this.clock = clock;
    }

    DriftAnswer check(MachineClaim claim, PoolObject pool, Ec2NodeClass nodeClass) {
        var rule = SpotReturn.of(pool.meta().annotations()).rule();
        var now = clock.instant();
        if (rule == null || !isConcerned(claim, pool)) {
            return new DriftAnswer.InPlace();
        }
        var name = pool.pool().name();
        if (!memory.isDue(name, rule, now) || !isCheaperAsSpot(claim, pool, nodeClass)) {
            return new DriftAnswer.InPlace();
        }
        memory.tried(name, now);
        return new DriftAnswer.Drifted(DriftAnswer.SPOT_AVAILABLE);
    }

    private boolean isConcerned(MachineClaim claim, PoolObject pool) {
        if (pool.pool().isStatic()
                || !LabelKeys.CAPACITY_TYPE_ON_DEMAND.equals(
                        claim.labels().get(LabelKeys.CAPACITY_TYPE))) {
            return false;
        }
        var mix = PoolMix.of(pool);
        return mix == null || mix.isOnDemandSpare(PoolMix.counts(view, pool.pool().name()));
    }

    private boolean isCheaperAsSpot(MachineClaim claim, PoolObject pool, Ec2NodeClass nodeClass) {
        var facts = ClassFacts.of(nodeClass, groups.known(nodeClass));
        if (!(catalogue.types(facts, clock.instant()) instanceof CatalogAnswer.Types(var plain))) {
            return false;
        }
        var types = overlays.lay(pool.pool().name(), plain);
        var price = ownPrice(claim, types);
        var wishes = pool.pool().nodeRequirements(Ec2Labels.VOCABULARY);
        return price != null
                && types.stream()
                        .filter(type -> type.requirements().intersects(wishes))
                        .filter(type -> claim.requests().fitsIn(type.allocatable()))
                        .flatMap(type -> type.offerings().stream())
                        .anyMatch(offering -> isCheaperSpot(offering, wishes, price));
    }

    private static boolean isCheaperSpot(Offering offering, Requirements wishes, double price) {
        return offering.capacityType().equals(LabelKeys.CAPACITY_TYPE_SPOT)
                && offering.isLaunchable()
                && offering.pricePerHour() < price
                && offering.requirements().intersects(wishes);
    }

    private static @Nullable Double ownPrice(MachineClaim claim, List<InstanceType> types) {
        for (var type : types) {
            if (type.name().equals(claim.labels().get(LabelKeys.INSTANCE_TYPE))) {
                for (var offering : type.offerings()) {
                    if (offering.capacityType().equals(LabelKeys.CAPACITY_TYPE_ON_DEMAND)
                            && offering.zone().equals(claim.labels().get(LabelKeys.ZONE))) {
                        return offering.pricePerHour();
                    }
                }
            }
        }
        return null;
    }
}
