package dev.millwright.kube.record.value;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.WaitReason;

import java.util.List;

/// What was planned for pods.
final class PlanSpellings {

    private static final Spelling<PlannedClaim.TypeOption> TYPE_OPTION =
            Spelling.of(
                    "type option",
                    (out, option) -> {
                        out.text(option.name());
                        out.text(option.zone());
                        out.text(option.capacityType());
                        out.real(option.pricePerHour());
                        out.value(LabelSpellings.RESOURCES, option.allocatable());
                    },
                    in ->
                            new PlannedClaim.TypeOption(
                                    in.text(),
                                    in.text(),
                                    in.text(),
                                    in.real(),
                                    in.value(LabelSpellings.RESOURCES)));

    private static final Spelling<List<PlannedClaim.TypeOption>> TYPE_OPTIONS =
            Spelling.of(
                    "type options",
                    (out, options) -> out.list(TYPE_OPTION, options),
                    in -> in.list(TYPE_OPTION));

    static final Spelling<PlannedClaim> CLAIM =
            Spelling.of(
                    "planned claim",
                    (out, claim) -> {
                        out.text(claim.nodePool());
                        out.value(LabelSpellings.REQUIREMENTS, claim.requirements());
                        out.value(TYPE_OPTIONS, claim.types());
                        out.list(PodSpellings.OBJECT_NAME, claim.pods());
                        out.value(LabelSpellings.RESOURCES, claim.requests());
                        out.texts(claim.reservationIds());
                        out.flag(claim.isMinValuesRelaxed());
                        out.real(claim.nodeFeePerHour());
                    },
                    in ->
                            new PlannedClaim(
                                    in.text(),
                                    in.value(LabelSpellings.REQUIREMENTS),
                                    in.value(TYPE_OPTIONS),
                                    in.list(PodSpellings.OBJECT_NAME),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.texts(),
                                    in.flag(),
                                    in.real()));

    private static final Spelling<Plan.ExistingPlacement> EXISTING =
            Spelling.of(
                    "existing placement",
                    (out, placement) -> {
                        out.text(placement.node());
                        out.list(PodSpellings.OBJECT_NAME, placement.pods());
                    },
                    in -> new Plan.ExistingPlacement(in.text(), in.list(PodSpellings.OBJECT_NAME)));

    private static final Spelling<Refusal> REFUSAL =
            Spelling.of("refusal", PlanSpellings::refusal, PlanSpellings::refusal);

    private static final Spelling<WaitReason.PoolRefusal> POOL_REFUSAL =
            Spelling.of(
                    "pool refusal",
                    (out, refusal) -> {
                        out.text(refusal.nodePool());
                        out.value(REFUSAL, refusal.refusal());
                    },
                    in -> new WaitReason.PoolRefusal(in.text(), in.value(REFUSAL)));

    private static final Spelling<WaitReason> WAIT_REASON =
            Spelling.of("wait reason", PlanSpellings::waitReason, PlanSpellings::waitReason);

    private static final Spelling<Plan.WaitingPod> WAITING =
            Spelling.of(
                    "waiting pod",
                    (out, waiting) -> {
                        out.value(PodSpellings.OBJECT_NAME, waiting.pod());
                        out.value(WAIT_REASON, waiting.reason());
                    },
                    in ->
                            new Plan.WaitingPod(
                                    in.value(PodSpellings.OBJECT_NAME), in.value(WAIT_REASON)));

    static final Spelling<Plan> PLAN =
            Spelling.of(
                    "plan",
                    (out, plan) -> {
                        out.list(CLAIM, plan.claims());
                        out.list(EXISTING, plan.existing());
                        out.list(WAITING, plan.waiting());
                        out.real(plan.pricePerHour());
                        out.real(plan.lowerBoundPerHour());
                        out.constant(plan.packing());
                        out.texts(plan.poolsWithoutTypes());
                    },
                    in ->
                            new Plan(
                                    in.list(CLAIM),
                                    in.list(EXISTING),
                                    in.list(WAITING),
                                    in.real(),
                                    in.real(),
                                    in.constant(Packing.class),
                                    in.texts()));

    private PlanSpellings() {}

    private static void waitReason(ValueOut out, WaitReason reason) {
        out.text(reason.label());
        switch (reason) {
            case WaitReason.NoNodePools(),
                    WaitReason.ResourceClaimsUnsupported(),
                    WaitReason.OptedOut() -> {
                // The word says it all.
            }
            case WaitReason.NodePoolsWithoutTypes(var pools) -> out.texts(pools);
            case WaitReason.Refused(var pools) -> out.list(POOL_REFUSAL, pools);
            case WaitReason.ReservationPending(var pool) -> out.text(pool);
            case WaitReason.Invalid(var problem) -> out.text(problem);
            case WaitReason.MinValuesLost(var pool, var problem) -> {
                out.text(pool);
                out.text(problem);
            }
        }
    }

    private static WaitReason waitReason(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "NoNodePools" -> new WaitReason.NoNodePools();
            case "NodePoolsWithoutTypes" -> new WaitReason.NodePoolsWithoutTypes(in.texts());
            case "Refused" -> new WaitReason.Refused(in.list(POOL_REFUSAL));
            case "ReservationPending" -> new WaitReason.ReservationPending(in.text());
            case "ResourceClaimsUnsupported" -> new WaitReason.ResourceClaimsUnsupported();
            case "Invalid" -> new WaitReason.Invalid(in.text());
            case "OptedOut" -> new WaitReason.OptedOut();
            case "MinValuesLost" -> new WaitReason.MinValuesLost(in.text(), in.text());
            default -> throw new DamageException("\"%s\" is no WaitReason".formatted(word));
        };
    }

    private static void refusal(ValueOut out, Refusal refusal) {
        out.text(refusal.getClass().getSimpleName());
        switch (refusal) {
            case Refusal.Untolerated(var taint) -> out.value(LabelSpellings.TAINT, taint);
            case Refusal.Requirement(var mismatch) -> out.value(LabelSpellings.MISMATCH, mismatch);
            case Refusal.Volume(var mismatch) -> out.value(LabelSpellings.MISMATCH, mismatch);
            case Refusal.Topology(var kind, var key, var counts, var byPod, var byNode) -> {
                out.text(kind);
                out.text(key);
                out.value(CatalogSpellings.COUNTS, counts);
                out.value(LabelSpellings.REQUIREMENT, byPod);
                out.value(LabelSpellings.REQUIREMENT, byNode);
            }
            case Refusal.NoInstanceType type -> {
                out.flag(type.isRequirementMet());
                out.flag(type.isResourceMet());
                out.flag(type.isOfferingMet());
                out.value(LabelSpellings.REQUIREMENTS, type.requirements());
                out.value(LabelSpellings.RESOURCES, type.requested());
                out.value(LabelSpellings.RESOURCES, type.daemonRequests());
                out.value(LabelSpellings.RESOURCES, type.missing());
            }
            case Refusal.HostPorts(var ports) -> out.texts(ports);
            case Refusal.VolumeLimit(var driver, var wanted, var limit) -> {
                out.text(driver);
                out.number(wanted);
                out.number(limit);
            }
            case Refusal.Limit(var remaining) -> out.value(LabelSpellings.RESOURCES, remaining);
            case Refusal.NodeLimit() -> {
                // The word says it all.
            }
            case Refusal.MinValues(var key, var wanted, var found) -> {
                out.text(key);
                out.number(wanted);
                out.number(found);
            }
            case Refusal.NoTypesLeft() -> {
                // The word says it all.
            }
        }
    }

    private static Refusal refusal(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Untolerated" -> new Refusal.Untolerated(in.value(LabelSpellings.TAINT));
            case "Requirement" -> new Refusal.Requirement(in.value(LabelSpellings.MISMATCH));
            case "Volume" -> new Refusal.Volume(in.value(LabelSpellings.MISMATCH));
            case "Topology" ->
                    new Refusal.Topology(
                            in.text(),
                            in.text(),
                            in.value(CatalogSpellings.COUNTS),
                            in.value(LabelSpellings.REQUIREMENT),
                            in.value(LabelSpellings.REQUIREMENT));
            case "NoInstanceType" ->
                    new Refusal.NoInstanceType(
                            in.flag(),
                            in.flag(),
                            in.flag(),
                            in.value(LabelSpellings.REQUIREMENTS),
                            in.value(LabelSpellings.RESOURCES),
                            in.value(LabelSpellings.RESOURCES),
                            in.value(LabelSpellings.RESOURCES));
            case "HostPorts" -> new Refusal.HostPorts(in.texts());
            case "VolumeLimit" -> new Refusal.VolumeLimit(in.text(), in.whole(), in.whole());
            case "Limit" -> new Refusal.Limit(in.value(LabelSpellings.RESOURCES));
            case "NodeLimit" -> new Refusal.NodeLimit();
            case "MinValues" -> new Refusal.MinValues(in.text(), in.whole(), in.whole());
            case "NoTypesLeft" -> new Refusal.NoTypesLeft();
            case "Reserved" -> {
                in.text(); // Its name and words in records of before.
                yield new Refusal.NoTypesLeft();
            }
            default -> throw new DamageException("\"%s\" is no Refusal".formatted(word));
        };
    }
}
