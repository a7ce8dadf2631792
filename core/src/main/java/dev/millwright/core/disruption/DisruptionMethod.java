package dev.millwright.core.disruption;

import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// The ways to find nodes to take away, in the order they are tried: the first that finds some ends
/// the pass. A constant is all that the rest knows of a method: which nodes it wants, how it
/// decides, how its commands are looked at again, and what it is to remember.
public enum DisruptionMethod {
    REPAIR(Reason.UNHEALTHY, "", Manner.REPAIR) {
        @Override
        public boolean isOff(DisruptionOptions options) {
            return options.repair().isEmpty();
        }

        @Override
        public boolean countsStaticNodes() {
            return true;
        }

        @Override
        Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options) {
            return Repair.candidacy(problem, options.repair());
        }

        @Override
        Decision decide(MethodCase asked, Candidacy open, Allowances allowed) {
            return Repair.decide(
                    asked.problem(), open, allowed, asked.options(), asked.memory().counts());
        }
    },
    EMPTINESS(Reason.EMPTY, "empty", Manner.GRACEFUL) {
        @Override
        Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options) {
            return Emptiness.candidacy(problem);
        }

        @Override
        Decision decide(MethodCase asked, Candidacy open, Allowances allowed) {
            return Emptiness.decide(open, allowed);
        }

        @Override
        List<Validation> validate(DisruptionProblem problem, List<Command> commands) {
            return commands.stream().map(each -> Emptiness.validate(problem, each)).toList();
        }
    },
    STATIC_DRIFT(Reason.DRIFTED, "", Manner.EVENTUAL) {
        @Override
        public boolean countsStaticNodes() {
            return true;
        }

        @Override
        public boolean isFor(Machine machine, @Nullable PoolRules pool) {
            return isDrifted(machine) && isStatic(pool);
        }

        @Override
        Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options) {
            return StaticDrift.candidacy(problem);
        }

        @Override
        Decision decide(MethodCase asked, Candidacy open, Allowances allowed) {
            return StaticDrift.decide(open, allowed, asked.memory().counts(), asked.options());
        }
    },
    DRIFT(Reason.DRIFTED, "", Manner.EVENTUAL) {
        @Override
        public boolean isFor(Machine machine, @Nullable PoolRules pool) {
            return isDrifted(machine) && !isStatic(pool);
        }

        @Override
        Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options) {
            return Drift.candidacy(problem);
        }

        @Override
        Decision decide(MethodCase asked, Candidacy open, Allowances allowed) {
            return Drift.decide(asked.problem(), open, allowed);
        }
    },
    WHOLE_FLEET(Reason.UNDERUTILIZED, "fleet", Manner.GRACEFUL) {
        @Override
        public boolean leavesWhatItBought() {
            return true;
        }

        @Override
        public boolean takesSeveral() {
            return true;
        }

        @Override
        public boolean isFor(Machine machine, @Nullable PoolRules pool) {
            return isWholeFleet(pool);
        }

        @Override
        Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options) {
            return WholeFleet.candidacy(problem);
        }

        @Override
        Decision decide(MethodCase asked, Candidacy open, Allowances allowed) {
            return WholeFleet.decide(asked.problem(), open, allowed, asked.memory().unseen());
        }

        @Override
        List<Validation> validate(DisruptionProblem problem, List<Command> commands) {
            return WholeFleet.validate(problem, commands);
        }
    },
    MULTI_NODE(Reason.UNDERUTILIZED, "multi", Manner.GRACEFUL) {
        @Override
        public boolean takesOne() {
            return false;
        }

        @Override
        public boolean takesSeveral() {
            return true;
        }

        @Override
        public boolean isFor(Machine machine, @Nullable PoolRules pool) {
            return !isWholeFleet(pool);
        }

        @Override
        Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options) {
            return MultiNode.candidacy(problem);
        }

        @Override
        Decision decide(MethodCase asked, Candidacy open, Allowances allowed) {
            return MultiNode.decide(asked.problem(), open, allowed);
        }

        @Override
        List<Validation> validate(DisruptionProblem problem, List<Command> commands) {
            return commands.stream().map(each -> Consolidation.validate(problem, each)).toList();
        }
    },
    SINGLE_NODE(Reason.UNDERUTILIZED, "single", Manner.GRACEFUL) {
        @Override
        public boolean isFor(Machine machine, @Nullable PoolRules pool) {
            return !isWholeFleet(pool);
        }

        @Override
        Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options) {
            return SingleNode.candidacy(problem);
        }

        @Override
        Decision decide(MethodCase asked, Candidacy open, Allowances allowed) {
            return SingleNode.decide(asked.problem(), open, allowed, asked.memory().unseen());
        }

        @Override
        List<Validation> validate(DisruptionProblem problem, List<Command> commands) {
            return commands.stream().map(each -> Consolidation.validate(problem, each)).toList();
        }
    };

    /// How pods that must not be disturbed are met. `GRACEFUL` leaves their node alone; `EVENTUAL`
    /// takes it when its claim says how long they may stay; `REPAIR` takes also one that is guarded
    /// itself, or not initialised.
    public enum Manner {
        GRACEFUL,
        EVENTUAL,
        REPAIR
    }

    private final Reason reason;
    private final String consolidationType;
    private final Manner manner;

    DisruptionMethod(Reason reason, String consolidationType, Manner manner) {
        this.reason = reason;
        this.consolidationType = consolidationType;
        this.manner = manner;
    }

    /// Which nodes it may take, before anything is remembered.
    abstract Candidacy candidacy(DisruptionProblem problem, DisruptionOptions options);

    /// @param open what it may take after what is remembered
    abstract Decision decide(MethodCase asked, Candidacy open, Allowances allowed);

    /// Looks at commands again that it decided together; one answer for each. One that does not
    /// wait between the choice and the deed has nothing to look at.
    List<Validation> validate(DisruptionProblem problem, List<Command> commands) {
        return commands.stream().<Validation>map(each -> new Validation.Holds(each, 0)).toList();
    }

    /// Whether the operator was told to leave it.
    public boolean isOff(DisruptionOptions options) {
        return false;
    }

    /// Whether it is the one, or one of those, by which the machine would go.
    public boolean isFor(Machine machine, @Nullable PoolRules pool) {
        return true;
    }

    /// Whether it looks at a node by itself.
    public boolean takesOne() {
        return true;
    }

    /// Whether it looks for nodes that go together, though none of them could go alone.
    public boolean takesSeveral() {
        return false;
    }

    /// Whether a node that it bought is not replaced again until something outside changes.
    public boolean leavesWhatItBought() {
        return false;
    }

    /// Whether its answer depends on how many claims static pools have.
    public boolean countsStaticNodes() {
        return false;
    }

    /// Whether its commands are looked at again after a while, and whether it need not be asked
    /// again as long as nothing changes.
    public boolean isValidated() {
        return manner == Manner.GRACEFUL;
    }

    /// Whether it means to save money.
    public boolean isConsolidation() {
        return !consolidationType.isEmpty();
    }

    /// Whether it searches for nodes whose pods have room elsewhere.
    public boolean isSearch() {
        return reason == Reason.UNDERUTILIZED;
    }

    /// Whether the fleet may be as it was after it: an empty node disturbs nobody, and a drifted
    /// one does not come back.
    public boolean mayLeadBack() {
        return isSearch();
    }

    private static boolean isDrifted(Machine machine) {
        return machine.standing().driftedAt() != null;
    }

    private static boolean isStatic(@Nullable PoolRules pool) {
        return pool != null && pool.pool().isStatic();
    }

    private static boolean isWholeFleet(@Nullable PoolRules pool) {
        return pool != null && pool.horizon() != null;
    }

    /// As a person reads it.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    public Reason reason() {
        return reason;
    }

    /// As metrics tell it; empty for drift, which is no consolidation.
    public String consolidationType() {
        return consolidationType;
    }

    public Manner manner() {
        return manner;
    }
}
