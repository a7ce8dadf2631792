package dev.millwright.runtime.process;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// One operator as a process: opens the ways to its cluster, has it get ready, and runs its loops
/// while it leads.
public final class OperatorProcess {

    private final Operator operator;
    private final ProcessSurroundings surroundings;
    private final Log log;
    private final StopSignal stop;

    /// Set once the loops are there: what works beside them rings them.
    private final AtomicReference<Outside.Bell> bell = new AtomicReference<>((_, _) -> {});

    public OperatorProcess(
            Operator operator, ProcessSurroundings surroundings, Log log, StopSignal stop) {
        this.operator = operator;
        this.surroundings = surroundings;
        this.log = log;
        this.stop = stop;
    }

    /// Returns whether it ended because it was told to.
    ///
    /// @throws IOException when a port or what the operator needs cannot be had; its message is for
    ///   a person
    public boolean run() throws IOException, InterruptedException {
        try (var ways =
                ApiWays.open(
                        surroundings.access(),
                        operator.program(),
                        surroundings.version(),
                        operator.requests(),
                        new RequestMeter(operator.metrics(), log))) {
            var work =
                    operator.prepare(ways, (controller, key) -> bell.get().ring(controller, key));
            return work == null || run(work, ways);
        }
    }

    private boolean run(Operator.Work work, ApiWays ways) throws IOException, InterruptedException {
        try (var probes = work.probes()) {
            var duties =
                    new OperatorRun.Duties(
                            work.watching(),
                            probes,
                            (events, mayAct) -> loops(work, outside(ways.work(), events, mayAct)),
                            work.windingUp(),
                            operator.stopMax());
            return new OperatorRun(
                            duties,
                            operator.leadership(ways.lease().namespace()),
                            new OperatorRun.Surroundings(
                                    surroundings.clock(), surroundings.random()),
                            log,
                            stop)
                    .run(ways.work(), ways.lease());
        }
    }

    private Loops loops(Operator.Work work, Outside outside) throws IOException {
        var made = work.controllers().assemble(outside);
        var loops =
                new Loops(
                        made.controllers(),
                        work.watching().view(),
                        made.outside(),
                        made.tuning(),
                        surroundings.clock());
        bell.set(loops::ring);
        return loops;
    }

    private Outside outside(KubeApi api, Consumer<KubeEvent> events, BooleanSupplier mayAct) {
        return new Outside(
                api,
                events,
                operator.metrics(),
                (level, message, keyValues) -> log.say(level, message, keyValues.toArray()),
                (_, _) -> {}, // The loops bring their own bell.
                mayAct,
                operator.isDryRun() ? Outside.Mode.DRY_RUN : Outside.Mode.ACT);
    }
}
