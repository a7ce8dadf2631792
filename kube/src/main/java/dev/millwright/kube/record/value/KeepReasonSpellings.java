package dev.millwright.kube.record.value;

import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

/// Why nodes are kept.
final class KeepReasonSpellings {

    private static final Spelling<KeepReason.Homeless> HOMELESS =
            Spelling.of(
                    "homeless pod",
                    (out, homeless) -> {
                        out.value(PodSpellings.OBJECT_NAME, homeless.pod());
                        out.text(homeless.why());
                    },
                    in -> new KeepReason.Homeless(in.value(PodSpellings.OBJECT_NAME), in.text()));

    static final Spelling<KeepReason> REASON =
            Spelling.of("keep reason", KeepReasonSpellings::reason, KeepReasonSpellings::reason);

    /// A node and why it stays.
    record Kept(String node, KeepReason reason) {}

    static final Spelling<Kept> KEPT =
            Spelling.of(
                    "kept node",
                    (out, kept) -> {
                        out.text(kept.node());
                        out.value(REASON, kept.reason());
                    },
                    in -> new Kept(in.text(), in.value(REASON)));

    private KeepReasonSpellings() {}

    private static void reason(ValueOut out, KeepReason reason) {
        out.text(reason.label());
        switch (reason) {
            case KeepReason.Queued(),
                    KeepReason.NotManaged(),
                    KeepReason.WithoutNode(),
                    KeepReason.NotInitialized(),
                    KeepReason.Going(),
                    KeepReason.Nominated(),
                    KeepReason.Rebooting(),
                    KeepReason.NotSick(),
                    KeepReason.RepairForbidden(),
                    KeepReason.DrainUnbounded(),
                    KeepReason.NodeGuarded(),
                    KeepReason.WithoutPoolLabel(),
                    KeepReason.StaticPool(),
                    KeepReason.DynamicPool(),
                    KeepReason.NotDrifted(),
                    KeepReason.NotEmpty(),
                    KeepReason.Empty(),
                    KeepReason.NotConsolidatable(),
                    KeepReason.SpotToSpotOff(),
                    KeepReason.NotWorthIt(),
                    KeepReason.MovedRecently(),
                    KeepReason.TooTight(),
                    KeepReason.TriedInVain(),
                    KeepReason.NotReached(),
                    KeepReason.NotItsTurn() -> {
                // The word says it all.
            }
            case KeepReason.PoolUnwell(var pool, var sick, var nodes, var most) -> {
                out.text(pool);
                out.number(sick);
                out.number(nodes);
                out.number(most);
            }
            case KeepReason.PoolUnknown(var pool) -> out.text(pool);
            case KeepReason.PoolWithoutTypes(var pool) -> out.text(pool);
            case KeepReason.ConsolidationOff(var pool) -> out.text(pool);
            case KeepReason.OnlyWhenEmpty(var pool) -> out.text(pool);
            case KeepReason.ConsolidatedOtherwise(var pool) -> out.text(pool);
            case KeepReason.TypeUnknown(var type) -> out.text(type);
            case KeepReason.LabelMissing(var key) -> out.text(key);
            case KeepReason.MinValuesBroken(var problem) -> out.text(problem);
            case KeepReason.PodGuarded(var pod) -> out.value(PodSpellings.OBJECT_NAME, pod);
            case KeepReason.PodBudgetSpent(var pod, var budget) -> {
                out.value(PodSpellings.OBJECT_NAME, pod);
                out.value(PodSpellings.OBJECT_NAME, budget);
            }
            case KeepReason.PodBudgetsContested(var pod, var budgets) -> {
                out.value(PodSpellings.OBJECT_NAME, pod);
                out.list(PodSpellings.OBJECT_NAME, budgets);
            }
            case KeepReason.PodsHomeless(var pods) -> out.list(HOMELESS, pods);
            case KeepReason.PodsUnmovable(var pods) -> out.list(HOMELESS, pods);
            case KeepReason.HeldForBuffer(var pods) -> out.number(pods);
            case KeepReason.NeedsSeveralNodes(var nodes) -> out.number(nodes);
            case KeepReason.TooFewSpotTypes(var types) -> out.number(types);
            case KeepReason.NotCheaper(var price) -> out.real(price);
            case KeepReason.DoesNotPay(var saved, var cost, var horizon) -> {
                out.real(saved);
                out.real(cost);
                out.duration(horizon);
            }
            case KeepReason.LeadsBack(var triedAt) -> out.instant(triedAt);
            case KeepReason.DecidedAlready(var decidedAt) -> out.instant(decidedAt);
            case KeepReason.NoCheaperSpot(var price) -> out.real(price);
            case KeepReason.Frozen(var where, var why) -> {
                out.text(where);
                out.text(why);
            }
            case KeepReason.PoolUnreadable(var pool, var problem) -> {
                out.text(pool);
                out.text(problem);
            }
            case KeepReason.OutsideWindows(var pool, var why, var opensAt) -> {
                out.text(pool);
                out.constant(why);
                out.instantOrNone(opensAt);
            }
            case KeepReason.PoolBudgetSpent(var pool, var why) -> {
                out.text(pool);
                out.constant(why);
            }
            case KeepReason.PoolOverscaled(var pool, var nodes, var replicas) -> {
                out.text(pool);
                out.number(nodes);
                out.number(replicas);
            }
            case KeepReason.PoolAtNodeLimit(var pool, var nodesMax) -> {
                out.text(pool);
                out.number(nodesMax);
            }
        }
    }

    private static KeepReason reason(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Queued" -> new KeepReason.Queued();
            case "NotManaged" -> new KeepReason.NotManaged();
            case "WithoutNode" -> new KeepReason.WithoutNode();
            case "NotInitialized" -> new KeepReason.NotInitialized();
            case "Going" -> new KeepReason.Going();
            case "Nominated" -> new KeepReason.Nominated();
            case "Rebooting" -> new KeepReason.Rebooting();
            case "NotSick" -> new KeepReason.NotSick();
            case "RepairForbidden" -> new KeepReason.RepairForbidden();
            case "DrainUnbounded" -> new KeepReason.DrainUnbounded();
            case "NodeGuarded" -> new KeepReason.NodeGuarded();
            case "WithoutPoolLabel" -> new KeepReason.WithoutPoolLabel();
            case "StaticPool" -> new KeepReason.StaticPool();
            case "DynamicPool" -> new KeepReason.DynamicPool();
            case "NotDrifted" -> new KeepReason.NotDrifted();
            case "NotEmpty" -> new KeepReason.NotEmpty();
            case "Empty" -> new KeepReason.Empty();
            case "NotConsolidatable" -> new KeepReason.NotConsolidatable();
            case "SpotToSpotOff" -> new KeepReason.SpotToSpotOff();
            case "NotWorthIt" -> new KeepReason.NotWorthIt();
            case "MovedRecently" -> new KeepReason.MovedRecently();
            case "TooTight" -> new KeepReason.TooTight();
            case "TriedInVain" -> new KeepReason.TriedInVain();
            case "NotReached" -> new KeepReason.NotReached();
            case "NotItsTurn" -> new KeepReason.NotItsTurn();
            default -> detailed(word, in);
        };
    }

    private static KeepReason detailed(String word, ValueIn in) {
        return switch (word) {
            case "PoolUnwell" ->
                    new KeepReason.PoolUnwell(in.text(), in.whole(), in.whole(), in.whole());
            case "PoolUnknown" -> new KeepReason.PoolUnknown(in.text());
            case "PoolWithoutTypes" -> new KeepReason.PoolWithoutTypes(in.text());
            case "ConsolidationOff" -> new KeepReason.ConsolidationOff(in.text());
            case "OnlyWhenEmpty" -> new KeepReason.OnlyWhenEmpty(in.text());
            case "ConsolidatedOtherwise" -> new KeepReason.ConsolidatedOtherwise(in.text());
            case "TypeUnknown" -> new KeepReason.TypeUnknown(in.text());
            case "LabelMissing" -> new KeepReason.LabelMissing(in.text());
            case "MinValuesBroken" -> new KeepReason.MinValuesBroken(in.text());
            case "PodGuarded" -> new KeepReason.PodGuarded(in.value(PodSpellings.OBJECT_NAME));
            case "PodBudgetSpent" ->
                    new KeepReason.PodBudgetSpent(
                            in.value(PodSpellings.OBJECT_NAME), in.value(PodSpellings.OBJECT_NAME));
            case "PodBudgetsContested" ->
                    new KeepReason.PodBudgetsContested(
                            in.value(PodSpellings.OBJECT_NAME), in.list(PodSpellings.OBJECT_NAME));
            case "PodsHomeless" -> new KeepReason.PodsHomeless(in.list(HOMELESS));
            case "PodsUnmovable" -> new KeepReason.PodsUnmovable(in.list(HOMELESS));
            case "HeldForBuffer" -> new KeepReason.HeldForBuffer(in.whole());
            case "NeedsSeveralNodes" -> new KeepReason.NeedsSeveralNodes(in.whole());
            case "TooFewSpotTypes" -> new KeepReason.TooFewSpotTypes(in.whole());
            case "NotCheaper" -> new KeepReason.NotCheaper(in.real());
            case "DoesNotPay" -> new KeepReason.DoesNotPay(in.real(), in.real(), in.duration());
            case "LeadsBack" -> new KeepReason.LeadsBack(in.instant());
            case "DecidedAlready" -> new KeepReason.DecidedAlready(in.instant());
            case "NoCheaperSpot" -> new KeepReason.NoCheaperSpot(in.real());
            case "Frozen" -> new KeepReason.Frozen(in.text(), in.text());
            case "PoolUnreadable" -> new KeepReason.PoolUnreadable(in.text(), in.text());
            case "OutsideWindows" ->
                    new KeepReason.OutsideWindows(
                            in.text(), in.constant(Reason.class), in.instantOrNone());
            case "PoolBudgetSpent" ->
                    new KeepReason.PoolBudgetSpent(in.text(), in.constant(Reason.class));
            case "PoolOverscaled" ->
                    new KeepReason.PoolOverscaled(in.text(), in.number(), in.number());
            case "PoolAtNodeLimit" -> new KeepReason.PoolAtNodeLimit(in.text(), in.number());
            default -> throw new DamageException("\"%s\" is no KeepReason".formatted(word));
        };
    }
}
