package dev.millwright.dashboard.page;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.scheduling.FleetBound;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.dashboard.ledger.FleetLedger;
import dev.millwright.dashboard.ledger.LedgerAnswers;
import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.Lookback;
import dev.millwright.dashboard.picture.Picture;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The page of an operator at work. It hears each decision, and shows them from a thread of its
/// own, so that nobody who decides waits for who looks.
public final class OperatorPage implements Consumer<Deliberation>, AutoCloseable {

    /// Decisions that may wait to be shown; when more come the oldest are not shown.
    static final int WAITING_MAX = 256;

    /// No more than one picture in so long: each is a walk over all pods.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// No more than one bound in so long of the cluster's time: each is a plan for all pods.
    static final Duration BOUND_STEP = Duration.ofSeconds(30);

    private static final Duration LOOKBACK_STEP = Duration.ofSeconds(5);

    private final BlockingQueue<Deliberation> heard = new ArrayBlockingQueue<>(WAITING_MAX);
    private final FleetLedger ledger;
    private final LedgerAnswers answers = new LedgerAnswers();
    private final Lookback lookback = new Lookback(LOOKBACK_STEP);
    private final PictureFeed feed;
    private final DashboardServer server;
    private final Thread thread;
    private @Nullable Instant boundAt;

    private OperatorPage(String title, InetSocketAddress address, Instant now) throws IOException {
        ledger = new FleetLedger(title);
        feed = new PictureFeed(Picture.empty(title, now));
        server =
                DashboardServer.startInCluster(
                        address, Content.live(feed).withAnswers(answers).withReel(lookback));
        thread = Thread.ofVirtual().name("dashboard").start(this::run);
    }

    /// Listens from now on.
    ///
    /// @throws IOException naming the address that cannot be had
    public static OperatorPage open(String title, InetSocketAddress address, Instant now)
            throws IOException {
        return new OperatorPage(title, address, now);
    }

    public URI address() {
        return server.address();
    }

    @Override
    public void accept(Deliberation deliberation) {
        while (!heard.offer(deliberation)) {
            heard.poll();
        }
    }

    private void run() {
        try {
            while (true) {
                var some = new ArrayList<>(List.of(heard.take()));
                heard.drainTo(some);
                some.forEach(ledger::hear);
                show();
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void show() {
        var problem = ledger.problem();
        if (problem != null) {
            bound(problem);
        }
        var picture = ledger.picture();
        var entries = new ConcurrentHashMap<Long, Answers.Reply>();
        for (var decision : picture.decisions()) {
            var answer = ledger.decision(decision.number());
            if (answer != null) {
                entries.put(decision.number(), new Answers.Reply.Known(answer));
            }
        }
        answers.hear(problem, ledger.standing(), entries::get);
        lookback.add(picture);
        feed.show(picture);
    }

    private void bound(SchedulingProblem problem) {
        var now = problem.snapshot().takenAt();
        if (boundAt == null || !now.isBefore(boundAt.plus(BOUND_STEP))) {
            boundAt = now;
            ledger.bounded(FleetBound.of(problem.withoutNodeFees()).lowerBoundPerHour());
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        server.close();
    }
}
