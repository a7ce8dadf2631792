package dev.millwright.runtime.process;

import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.EventRecorder;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.kube.lease.LeaderElection;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.probe.Liveness;
import dev.millwright.runtime.probe.Probes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// An operator as one process, whatever it looks after: fills its caches, waits to lead, runs its
/// loops, and stops when it is told to or when it no longer leads.
public final class OperatorRun {

    private static final Duration RECHECK = Duration.ofMillis(50);

    /// What is watched, and where. One watch a resource, whatever number of caches it feeds.
    public record Watching(View view, Function<ResourceType, Reflector.Subject> subjects) {}

    /// Who acts when several replicas run. Warm replicas fill their caches before they lead.
    public record Leadership(@Nullable ElectionSettings election, boolean isWarmedUp) {}

    /// Time and chance.
    public record Surroundings(InstantSource clock, RandomGenerator random) {}

    /// Makes the loops, once the caches are filled and this process leads.
    @FunctionalInterface
    public interface Crew {
        /// @param events hears what users should know
        /// @param mayAct is asked before every change
        /// @throws IOException when what the loops need cannot be had; its message is for a person
        Loops muster(Consumer<KubeEvent> events, BooleanSupplier mayAct) throws IOException;
    }

    /// Ends what goes on beside the loops, while they still take its outcome and the lease is held.
    @FunctionalInterface
    public interface WindingUp {
        void end() throws InterruptedException;

        WindingUp NOTHING = () -> {};
    }

    /// @param stopMax until steps that are under way must be done when the process stops
    public record Duties(
            Watching watching, Probes probes, Crew crew, WindingUp windingUp, Duration stopMax) {

        /// Of an operator whose loops do everything themselves.
        public Duties(Watching watching, Probes probes, Crew crew, Duration stopMax) {
            this(watching, probes, crew, WindingUp.NOTHING, stopMax);
        }
    }

    private final Duties duties;
    private final Leadership leadership;
    private final Surroundings surroundings;
    private final Log log;
    private final StopSignal stop;

    public OperatorRun(
            Duties duties,
            Leadership leadership,
            Surroundings surroundings,
            Log log,
            StopSignal stop) {
        this.duties = duties;
        this.leadership = leadership;
        this.surroundings = surroundings;
        this.log = log;
        this.stop = stop;
    }

    /// Returns whether it ended because it was told to.
    ///
    /// @param leaseApi the lease's own way, which nothing else may hold up
    public boolean run(KubeApi api, KubeApi leaseApi) throws InterruptedException, IOException {
        try (var reflectors = reflectors(api)) {
            return run(api, leaseApi, reflectors, new Liveness(reflectors));
        }
    }

    private boolean run(KubeApi api, KubeApi leaseApi, Reflectors reflectors, Liveness liveness)
            throws InterruptedException, IOException {
        try (var _ = duties.probes().open(reflectors, liveness)) {
            var election = election(leaseApi);
            if (leadership.isWarmedUp() || election == null) {
                reflectors.start();
            }
            if (election != null) {
                if (!acquired(election)) {
                    return true;
                }
                log.info("leading");
                if (!leadership.isWarmedUp()) {
                    reflectors.start();
                }
            }
            return lead(api, reflectors, election, liveness);
        }
    }

    private boolean lead(
            KubeApi api,
            Reflectors reflectors,
            @Nullable LeaderElection election,
            Liveness liveness)
            throws InterruptedException, IOException {
        var ended = new LeaderWatch(election, stop, log);
        if (!synced(reflectors, ended)) {
            return ended.isToldTo();
        }
        try (var events =
                new EventRecorder(api, surroundings.clock(), Ticker.system(), Sleeper.system())) {
            events.start();
            return act(events, election, ended, liveness);
        }
    }

    private boolean act(
            EventRecorder events,
            @Nullable LeaderElection election,
            LeaderWatch ended,
            Liveness liveness)
            throws InterruptedException, IOException {
        BooleanSupplier mayAct = election == null ? () -> true : election::isLeader;
        var loops = duties.crew().muster(event -> publish(events, event), mayAct);
        loops.start();
        liveness.watch(loops);
        ended.await();
        duties.windingUp().end();
        loops.stop(duties.stopMax());
        ended.end();
        if (election != null && ended.isToldTo()) {
            election.release();
        }
        log.info("stopped");
        return ended.isToldTo();
    }

    private void publish(EventRecorder events, KubeEvent event) {
        log.debug(
                event.message(),
                "reason",
                event.reason(),
                event.subject().kind(),
                event.subject().name().toString());
        events.publish(event);
    }

    private boolean synced(Reflectors reflectors, LeaderWatch ended) throws InterruptedException {
        while (!reflectors.isSynced()) {
            if (ended.isOver()) {
                return false;
            }
            Thread.sleep(RECHECK);
        }
        log.info("caches are filled");
        return true;
    }

    private @Nullable LeaderElection election(KubeApi leaseApi) {
        var settings = leadership.election();
        if (settings == null) {
            return null;
        }
        log.info("waiting to lead", "lease", settings.name().name());
        return new LeaderElection(
                leaseApi,
                settings,
                new LeaderElection.Surroundings(
                        Ticker.system(),
                        surroundings.clock(),
                        Sleeper.system(),
                        surroundings.random()));
    }

    private boolean acquired(LeaderElection election) throws InterruptedException {
        var waiting = Thread.ofVirtual().name("election").unstarted(() -> acquire(election));
        waiting.start();
        while (waiting.isAlive()) {
            if (stop.isRequested()) {
                waiting.interrupt();
                return false;
            }
            waiting.join(RECHECK);
        }
        return election.isLeader();
    }

    private static void acquire(LeaderElection election) {
        try {
            election.acquire();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Reflectors reflectors(KubeApi api) {
        var view = duties.watching().view();
        var types = new LinkedHashSet<ResourceType>();
        view.kinds().forEach(kind -> types.add(kind.type()));
        var reflectors = new ArrayList<Reflector>();
        for (var type : types) {
            reflectors.add(
                    new Reflector(
                            api,
                            duties.watching().subjects().apply(type),
                            new CacheSink(view.caches(type)),
                            new Reflector.Surroundings(
                                    surroundings.clock(), Sleeper.system(), surroundings.random()),
                            new WatchLog(log)));
        }
        return new Reflectors(reflectors, surroundings.clock(), Sleeper.system());
    }
}
