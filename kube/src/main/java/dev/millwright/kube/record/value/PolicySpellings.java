package dev.millwright.kube.record.value;

import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.disruption.RepairRules;
import dev.millwright.core.policy.CapacityMix;
import dev.millwright.core.policy.CronSchedule;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.MaintenanceWindows;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.PoolControls;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.SchedulingPolicy;

import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.List;

/// What people and the operator's settings say about nodes.
final class PolicySpellings {

    private static final Spelling<NodePool.NodeClassRef> CLASS_REF =
            Spelling.of(
                    "node class reference",
                    (out, reference) -> {
                        out.text(reference.group());
                        out.text(reference.kind());
                        out.text(reference.name());
                    },
                    in -> new NodePool.NodeClassRef(in.text(), in.text(), in.text()));

    /// Annotations of nodes-to-be are written onto claims; no decision reads them.
    private static final Spelling<NodePool.Template> TEMPLATE =
            Spelling.of(
                    "template",
                    (out, template) -> {
                        out.value(LabelSpellings.LABELS, template.labels());
                        out.value(LabelSpellings.LABELS, Annotations.read(template.annotations()));
                        out.list(LabelSpellings.REQUIREMENT, template.requirements());
                        out.list(LabelSpellings.TAINT, template.taints());
                        out.list(LabelSpellings.TAINT, template.startupTaints());
                        out.value(CLASS_REF, template.nodeClassRef());
                    },
                    in ->
                            new NodePool.Template(
                                    in.value(LabelSpellings.LABELS),
                                    in.value(LabelSpellings.LABELS),
                                    in.list(LabelSpellings.REQUIREMENT),
                                    in.list(LabelSpellings.TAINT),
                                    in.list(LabelSpellings.TAINT),
                                    in.value(CLASS_REF)));

    private static final Spelling<NodePool> POOL =
            Spelling.of(
                    "node pool",
                    (out, pool) -> {
                        out.text(pool.name());
                        out.number(pool.weight());
                        out.value(LabelSpellings.RESOURCES, pool.limits());
                        out.value(TEMPLATE, pool.template());
                        out.numberOrNone(pool.replicas());
                        out.flag(pool.isReady());
                        out.flag(pool.isDeleting());
                        out.realOrNone(pool.nodeFeePerHour());
                    },
                    in ->
                            new NodePool(
                                    in.text(),
                                    in.whole(),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(TEMPLATE),
                                    in.numberOrNone(),
                                    in.flag(),
                                    in.flag(),
                                    in.realOrNone()));

    static final Spelling<List<NodePool>> POOLS =
            Spelling.of("node pools", (out, pools) -> out.list(POOL, pools), in -> in.list(POOL));

    private static final Spelling<SchedulingPolicy.UnsupportedStorage> UNSUPPORTED =
            Spelling.of(
                    "unsupported storage",
                    (out, unsupported) -> {
                        out.texts(unsupported.drivers());
                        out.texts(unsupported.topologyKeys());
                    },
                    in -> new SchedulingPolicy.UnsupportedStorage(in.texts(), in.texts()));

    static final Spelling<SchedulingPolicy> POLICY =
            Spelling.of(
                    "scheduling policy",
                    (out, policy) -> {
                        out.constant(policy.preferences());
                        out.constant(policy.minValues());
                        out.constant(policy.reservations());
                        out.flag(policy.ignoresResourceClaims());
                        out.constant(policy.packing());
                        out.number(policy.effort());
                        out.list(PodSpellings.SPREAD, policy.defaultSpread());
                        out.value(UNSUPPORTED, policy.unsupportedStorage());
                        out.value(LabelSpellings.VOCABULARY, policy.vocabulary());
                        out.real(policy.nodeFeePerHour());
                    },
                    in ->
                            new SchedulingPolicy(
                                    in.constant(SchedulingPolicy.Preferences.class),
                                    in.constant(SchedulingPolicy.MinValues.class),
                                    in.constant(SchedulingPolicy.Reservations.class),
                                    in.flag(),
                                    in.constant(SchedulingPolicy.Packing.class),
                                    in.number(),
                                    in.list(PodSpellings.SPREAD),
                                    in.value(UNSUPPORTED),
                                    in.value(LabelSpellings.VOCABULARY),
                                    in.real()));

    private static final Spelling<NodePoolBudgets.Amount> AMOUNT =
            Spelling.of("amount", PolicySpellings::amount, PolicySpellings::amount);

    private static final Spelling<NodePoolBudgets.Times> TIMES =
            Spelling.of("times", PolicySpellings::times, PolicySpellings::times);

    private static final Spelling<NodePoolBudgets.Budget> BUDGET =
            Spelling.of(
                    "budget",
                    (out, budget) -> {
                        out.inline(AMOUNT, budget.amount());
                        out.valueOrNone(LabelSpellings.TEXTS, budget.reasons());
                        out.inline(TIMES, budget.times());
                    },
                    in ->
                            new NodePoolBudgets.Budget(
                                    in.inline(AMOUNT),
                                    in.valueOrNone(LabelSpellings.TEXTS),
                                    in.inline(TIMES)));

    private static final Spelling<Freeze> FREEZE =
            Spelling.of(
                    "freeze",
                    (out, freeze) -> {
                        out.text(freeze.where());
                        out.text(freeze.why());
                    },
                    in -> new Freeze(in.text(), in.text()));

    private static final Spelling<MaintenanceWindows.Window> WINDOW =
            Spelling.of(
                    "window",
                    (out, window) -> {
                        out.texts(window.reasons().stream().map(Enum::name).toList());
                        out.texts(window.days().stream().map(Enum::name).toList());
                        out.number(window.fromMinute());
                        out.number(window.toMinute());
                        out.text(window.zone().getId());
                    },
                    in ->
                            new MaintenanceWindows.Window(
                                    in.texts().stream()
                                            .map(NodePoolBudgets.Reason::valueOf)
                                            .toList(),
                                    in.texts().stream().map(DayOfWeek::valueOf).toList(),
                                    in.whole(),
                                    in.whole(),
                                    ZoneId.of(in.text())));

    private static final Spelling<PoolControls> CONTROLS =
            Spelling.of(
                    "pool controls",
                    (out, controls) -> {
                        out.valueOrNone(FREEZE, controls.freeze());
                        out.list(WINDOW, controls.windows().windows());
                        out.durationOrNone(controls.expireSoftlyAfter());
                        out.texts(controls.problems());
                    },
                    in ->
                            new PoolControls(
                                    in.valueOrNone(FREEZE),
                                    new MaintenanceWindows(in.list(WINDOW)),
                                    in.durationOrNone(),
                                    in.texts()));

    private static final Spelling<CapacityMix> MIX =
            Spelling.of(
                    "capacity mix",
                    (out, mix) -> {
                        out.number(mix.onDemandBase());
                        out.number(mix.spotPercent());
                    },
                    in -> new CapacityMix(in.whole(), in.whole()));

    static final Spelling<PoolRules> RULES =
            Spelling.of(
                    "pool rules",
                    (out, rules) -> {
                        out.value(POOL, rules.pool());
                        out.list(BUDGET, rules.budgets().budgets());
                        out.durationOrNone(rules.consolidateAfter());
                        out.constant(rules.policy());
                        out.value(CONTROLS, rules.controls());
                        out.durationOrNone(rules.horizon());
                        out.valueOrNone(MIX, rules.mix());
                    },
                    in ->
                            new PoolRules(
                                    in.value(POOL),
                                    new NodePoolBudgets(in.list(BUDGET)),
                                    in.durationOrNone(),
                                    in.constant(PoolRules.Consolidation.class),
                                    in.value(CONTROLS),
                                    in.durationOrNone(),
                                    in.valueOrNone(MIX)));

    static final Spelling<RepairPolicy> REPAIR_POLICY =
            Spelling.of(
                    "repair policy",
                    (out, policy) -> {
                        out.text(policy.conditionType());
                        out.text(policy.conditionStatus());
                        out.text(policy.reasonPattern());
                        out.duration(policy.toleration());
                        out.durationOrNone(policy.drainMax());
                        out.number(policy.priority());
                        out.constant(policy.action());
                    },
                    in ->
                            new RepairPolicy(
                                    in.text(),
                                    in.text(),
                                    in.text(),
                                    in.duration(),
                                    in.durationOrNone(),
                                    in.whole(),
                                    in.constant(RepairPolicy.Action.class)));

    static final Spelling<DisruptionOptions> OPTIONS =
            Spelling.of(
                    "disruption options",
                    (out, options) -> {
                        out.list(REPAIR_POLICY, options.repair().policies());
                        out.flag(options.isDriftTerminateFirst());
                        out.flag(options.isRepairTerminateFirst());
                    },
                    in ->
                            new DisruptionOptions(
                                    new RepairRules(in.list(REPAIR_POLICY)), in.flag(), in.flag()));

    private PolicySpellings() {}

    private static void amount(ValueOut out, NodePoolBudgets.Amount amount) {
        switch (amount) {
            case NodePoolBudgets.Amount.Count(var nodes) -> {
                out.text("Count");
                out.number(nodes);
            }
            case NodePoolBudgets.Amount.Share(var percent) -> {
                out.text("Share");
                out.number(percent);
            }
            case NodePoolBudgets.Amount.Malformed(var problem) -> {
                out.text("Malformed");
                out.text(problem);
            }
        }
    }

    private static NodePoolBudgets.Amount amount(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Count" -> new NodePoolBudgets.Amount.Count(in.whole());
            case "Share" -> new NodePoolBudgets.Amount.Share(in.whole());
            case "Malformed" -> new NodePoolBudgets.Amount.Malformed(in.text());
            default -> throw new DamageException("\"%s\" is no Amount".formatted(word));
        };
    }

    private static void times(ValueOut out, NodePoolBudgets.Times times) {
        switch (times) {
            case NodePoolBudgets.Times.Always() -> out.text("Always");
            case NodePoolBudgets.Times.Windows(var schedule, var length) -> {
                out.text("Windows");
                out.text(schedule.toString());
                out.duration(length);
            }
            case NodePoolBudgets.Times.Unreadable(var problem) -> {
                out.text("Unreadable");
                out.text(problem);
            }
        }
    }

    private static NodePoolBudgets.Times times(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Always" -> new NodePoolBudgets.Times.Always();
            case "Windows" ->
                    new NodePoolBudgets.Times.Windows(CronSchedule.parse(in.text()), in.duration());
            case "Unreadable" -> new NodePoolBudgets.Times.Unreadable(in.text());
            default -> throw new DamageException("\"%s\" is no Times".formatted(word));
        };
    }
}
