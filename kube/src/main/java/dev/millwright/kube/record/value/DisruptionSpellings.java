package dev.millwright.kube.record.value;

import dev.millwright.core.disruption.Balance;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.Diagnosis;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.NodeHealth;
import dev.millwright.core.disruption.PastMoves;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.scheduling.StaticCapacity;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;

/// What decisions about taking nodes away are made from, and what they come to.
final class DisruptionSpellings {

    private static final Spelling<NodeHealth.Sign> SIGN =
            Spelling.of(
                    "sign",
                    (out, sign) -> {
                        out.text(sign.type());
                        out.text(sign.status());
                        out.text(sign.reason());
                        out.instant(sign.changedAt());
                    },
                    in -> new NodeHealth.Sign(in.text(), in.text(), in.text(), in.instant()));

    private static final Spelling<NodeHealth> HEALTH =
            Spelling.of(
                    "node health",
                    (out, health) -> {
                        out.list(SIGN, health.signs());
                        out.instant(health.createdAt());
                        out.flag(health.isRebooting());
                        out.instantOrNone(health.rebootedAt());
                        out.number(health.reboots());
                    },
                    in ->
                            new NodeHealth(
                                    in.list(SIGN),
                                    in.instant(),
                                    in.flag(),
                                    in.instantOrNone(),
                                    in.whole()));

    private static final Spelling<Machine.Standing> STANDING =
            Spelling.of(
                    "standing",
                    (out, standing) -> {
                        out.text(standing.claimUid());
                        out.flag(standing.isReady());
                        out.flag(standing.isInstanceTerminating());
                        out.flag(standing.isQueued());
                        out.flag(standing.isNominated());
                        out.number(standing.virtualPods());
                        out.instantOrNone(standing.driftedAt());
                        out.flag(standing.isReturning());
                        out.flag(standing.isConsolidatable());
                        out.durationOrNone(standing.terminationGracePeriod());
                        out.value(HEALTH, standing.health());
                    },
                    in ->
                            new Machine.Standing(
                                    in.text(),
                                    in.flag(),
                                    in.flag(),
                                    in.flag(),
                                    in.flag(),
                                    in.whole(),
                                    in.instantOrNone(),
                                    in.flag(),
                                    in.flag(),
                                    in.durationOrNone(),
                                    in.value(HEALTH)));

    private static final Spelling<Machine.MovedPod> MOVED_POD =
            Spelling.of(
                    "moved pod",
                    (out, moved) -> {
                        out.value(PodSpellings.POD, moved.pod());
                        out.real(moved.cost());
                    },
                    in -> new Machine.MovedPod(in.value(PodSpellings.POD), in.real()));

    static final Spelling<Machine> MACHINE =
            Spelling.of(
                    "machine",
                    (out, machine) -> {
                        out.value(ClusterSpellings.STATE_NODE, machine.node());
                        out.value(STANDING, machine.standing());
                        out.list(MOVED_POD, machine.pods());
                    },
                    in ->
                            new Machine(
                                    in.value(ClusterSpellings.STATE_NODE),
                                    in.value(STANDING),
                                    in.list(MOVED_POD)));

    private static final Comparator<PastMoves.Target> TARGET_ORDER =
            Comparator.comparing(PastMoves.Target::nodePool)
                    .thenComparing(PastMoves.Target::instanceType);

    private static final Spelling<PastMoves.Target> TARGET =
            Spelling.of(
                    "target",
                    (out, target) -> {
                        out.text(target.nodePool());
                        out.text(target.instanceType());
                    },
                    in -> new PastMoves.Target(in.text(), in.text()));

    static final Spelling<PastMoves> PAST =
            Spelling.of(
                    "past moves",
                    (out, past) -> {
                        out.texts(past.settled());
                        out.list(TARGET, past.vain().stream().sorted(TARGET_ORDER).toList());
                    },
                    in -> new PastMoves(new TreeSet<>(in.texts()), new HashSet<>(in.list(TARGET))));

    static final Spelling<StaticCapacity.Counts> COUNTS =
            Spelling.of(
                    "static counts",
                    (out, counts) -> {
                        out.number(counts.active());
                        out.number(counts.pendingDisruption());
                        out.number(counts.deleting());
                        out.number(counts.reserved());
                    },
                    in ->
                            new StaticCapacity.Counts(
                                    in.number(), in.number(), in.number(), in.number()));

    private static final Spelling<Candidate> CANDIDATE =
            Spelling.of(
                    "candidate",
                    (out, candidate) -> {
                        out.value(MACHINE, candidate.machine());
                        out.value(PolicySpellings.RULES, candidate.pool());
                        out.valueOrNone(CatalogSpellings.INSTANCE_TYPE, candidate.type());
                        out.real(candidate.pricePerHour());
                        out.real(candidate.cost());
                        out.real(candidate.nodeFeePerHour());
                    },
                    in ->
                            new Candidate(
                                    in.value(MACHINE),
                                    in.value(PolicySpellings.RULES),
                                    in.valueOrNone(CatalogSpellings.INSTANCE_TYPE),
                                    in.real(),
                                    in.real(),
                                    in.real()));

    private static final Spelling<Diagnosis> DIAGNOSIS =
            Spelling.of(
                    "diagnosis",
                    (out, diagnosis) -> {
                        out.constant(diagnosis.action());
                        out.value(PolicySpellings.REPAIR_POLICY, diagnosis.policy());
                        out.value(SIGN, diagnosis.sign());
                        out.instant(diagnosis.dueAt());
                        out.durationOrNone(diagnosis.drainMax());
                        out.number(diagnosis.rank());
                        out.instant(diagnosis.rankedSince());
                        out.flag(diagnosis.isEscalated());
                    },
                    in ->
                            new Diagnosis(
                                    in.constant(RepairPolicy.Action.class),
                                    in.value(PolicySpellings.REPAIR_POLICY),
                                    in.value(SIGN),
                                    in.instant(),
                                    in.durationOrNone(),
                                    in.whole(),
                                    in.instant(),
                                    in.flag()));

    private static final Spelling<Command.Terms> TERMS =
            Spelling.of(
                    "terms",
                    (out, terms) -> {
                        out.constant(terms.order());
                        out.durationOrNone(terms.drainMax());
                        out.valueOrNone(DIAGNOSIS, terms.diagnosis());
                    },
                    in ->
                            new Command.Terms(
                                    in.constant(Command.Order.class),
                                    in.durationOrNone(),
                                    in.valueOrNone(DIAGNOSIS)));

    private static final Spelling<Command.Replacement> REPLACEMENT =
            Spelling.of(
                    "replacement",
                    DisruptionSpellings::replacement,
                    DisruptionSpellings::replacement);

    static final Spelling<Command> COMMAND =
            Spelling.of(
                    "command",
                    (out, command) -> {
                        out.constant(command.method());
                        out.list(CANDIDATE, command.candidates());
                        out.list(REPLACEMENT, command.replacements());
                        out.texts(command.nominated());
                        out.value(TERMS, command.terms());
                    },
                    in ->
                            new Command(
                                    in.constant(DisruptionMethod.class),
                                    in.list(CANDIDATE),
                                    in.list(REPLACEMENT),
                                    in.texts(),
                                    in.value(TERMS)));

    private static final Spelling<Balance.Score> SCORE =
            Spelling.of(
                    "score",
                    (out, score) -> {
                        out.real(score.savedShare());
                        out.real(score.disturbedShare());
                    },
                    in -> new Balance.Score(in.real(), in.real()));

    private static final Spelling<Balance.Verdict> VERDICT =
            Spelling.of(
                    "verdict",
                    (out, verdict) -> {
                        out.value(COMMAND, verdict.command());
                        out.map(SCORE, verdict.scores());
                        out.flag(verdict.isApproved());
                    },
                    in -> new Balance.Verdict(in.value(COMMAND), in.map(SCORE), in.flag()));

    static final Spelling<Decision.Search> SEARCH =
            Spelling.of(
                    "search",
                    (out, search) -> {
                        out.list(VERDICT, search.weighed());
                        out.flag(search.isOutOfEffort());
                        out.texts(search.unseen());
                    },
                    in -> new Decision.Search(in.list(VERDICT), in.flag(), in.texts()));

    private static final Spelling<Validation> VALIDATION =
            Spelling.of(
                    "validation", DisruptionSpellings::validation, DisruptionSpellings::validation);

    static final Spelling<List<Validation>> VALIDATIONS =
            Spelling.of(
                    "validations",
                    (out, validations) -> out.list(VALIDATION, validations),
                    in -> in.list(VALIDATION));

    private DisruptionSpellings() {}

    private static void replacement(ValueOut out, Command.Replacement replacement) {
        switch (replacement) {
            case Command.Replacement.Planned(var claim) -> {
                out.text("Planned");
                out.value(PlanSpellings.CLAIM, claim);
            }
            case Command.Replacement.Template(var pool) -> {
                out.text("Template");
                out.text(pool);
            }
        }
    }

    private static Command.Replacement replacement(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Planned" -> new Command.Replacement.Planned(in.value(PlanSpellings.CLAIM));
            case "Template" -> new Command.Replacement.Template(in.text());
            default -> throw new DamageException("\"%s\" is no Replacement".formatted(word));
        };
    }

    private static void validation(ValueOut out, Validation validation) {
        switch (validation) {
            case Validation.Holds(var command, var dropped) -> {
                out.text("Holds");
                out.value(COMMAND, command);
                out.number(dropped);
            }
            case Validation.Broken(var cause, var dropped) -> {
                out.text("Broken");
                out.constant(cause);
                out.number(dropped);
            }
        }
    }

    private static Validation validation(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Holds" -> new Validation.Holds(in.value(COMMAND), in.whole());
            case "Broken" -> new Validation.Broken(in.constant(Validation.Cause.class), in.whole());
            default -> throw new DamageException("\"%s\" is no Validation".formatted(word));
        };
    }
}
