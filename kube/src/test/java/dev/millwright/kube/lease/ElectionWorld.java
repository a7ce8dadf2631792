package dev.millwright.kube.lease;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// Candidates for one lease on explicit time: messages take a while and get lost on either way,
/// processes stall at any moment, clocks begin anywhere and run a little apart. It writes down when
/// each candidate believed to lead.
final class ElectionWorld {

    private static final ObjectName LEASE = new ObjectName("kube-system", "leader");
    private static final long SECOND = 1_000_000_000L;
    private static final long END = 300 * SECOND;

    /// A candidate's belief, from and until, in the world's time.
    record Belief(int candidate, long from, long until) {}

    private record Event(long at, long order, Runnable action) {}

    private final class Candidate {
        private final int number;
        private final long clockOffset = random.nextLong(-SECOND * 1_000, SECOND * 1_000);
        private final double clockRate = 0.99 + random.nextDouble() * 0.02;
        private Candidacy candidacy;
        private @Nullable Belief belief;

        Candidate(int number) {
            this.number = number;
            this.candidacy =
                    Candidacy.of(ElectionSettings.of(LEASE, "host", Integer.toString(number)));
        }

        /// What this process's clock shows at a moment of the world.
        private long own(long at) {
            return clockOffset + (long) (at * clockRate);
        }

        private long world(long own) {
            return (long) ((own - clockOffset) / clockRate);
        }

        private void turn() {
            if (candidacy.renewedAtNanos() == null || candidacy.isStale()) {
                ask(() -> api.read(ResourceType.LEASE, LEASE), this::read);
            } else {
                decide();
            }
        }

        private void read(ApiAnswer answer, long sentAt) {
            switch (answer) {
                case ApiAnswer.Done(var lease) -> {
                    candidacy = candidacy.observe(LeaseRecord.of(lease), own(now));
                    decide();
                }
                case ApiAnswer.Refused refused when refused.isNotFound() -> {
                    candidacy = candidacy.observe(null, own(now));
                    decide();
                }
                case ApiAnswer.Refused _, ApiAnswer.Unreachable _ -> {
                    if (candidacy.renewedAtNanos() != null && !candidacy.isLeader(own(now))) {
                        stepDown();
                    }
                    after(2 * SECOND, this::turn);
                }
            }
        }

        private void decide() {
            var moment = new Candidacy.Moment(own(now), Instant.EPOCH.plusNanos(now));
            switch (candidacy.decide(moment)) {
                case ElectionDecision.Acquire(var write) -> send(write);
                case ElectionDecision.Renew(var write) -> send(write);
                case ElectionDecision.Wait(var until) ->
                        after(Math.max(SECOND / 100, world(until) - now), this::turn);
                case ElectionDecision.StepDown _ -> {
                    stepDown();
                    after(SECOND, this::turn);
                }
            }
        }

        private void send(ApiWrite write) {
            ask(() -> api.write(write), this::written);
        }

        private void written(ApiAnswer answer, long sentAt) {
            candidacy = candidacy.answered(answer, own(sentAt), own(now));
            if (candidacy.isLeader(own(now)) && candidacy.renewedAtNanos() != null) {
                var deadline = candidacy.settings().renewDeadline().toNanos();
                believe(now, world(candidacy.renewedAtNanos() + deadline));
            }
            if (answer.isDone() && random.nextInt(100) < 3) {
                release();
            } else {
                after(answer.isDone() ? SECOND / 10 : 2 * SECOND, this::turn);
            }
        }

        /// Stops acting, and then lets others have it.
        private void release() {
            var write =
                    candidacy.release(new Candidacy.Moment(own(now), Instant.EPOCH.plusNanos(now)));
            stepDown();
            if (write != null) {
                ask(() -> api.write(write), (_, _) -> after(SECOND, this::turn));
            }
        }

        private void believe(long from, long until) {
            if (from >= until) {
                return;
            }
            belief =
                    belief == null || belief.until() < from
                            ? begun(new Belief(number, from, until))
                            : replaced(new Belief(number, belief.from(), until));
        }

        private Belief begun(Belief next) {
            beliefs.add(next);
            return next;
        }

        private Belief replaced(Belief next) {
            beliefs.remove(belief);
            return begun(next);
        }

        private void stepDown() {
            candidacy = candidacy.steppedDown();
            if (belief != null && belief.until() > now) {
                replaced(new Belief(number, belief.from(), now));
            }
            belief = null;
        }

        /// A question on its way there and back, either of which may fail; and the process may be
        /// asleep when the answer is there.
        private void ask(Supplier<ApiAnswer> question, Reaction reaction) {
            var sentAt = now;
            if (random.nextInt(100) < 5) {
                after(5 * SECOND, () -> reaction.to(new ApiAnswer.Unreachable("lost"), sentAt));
                return;
            }
            after(
                    delay(),
                    () -> {
                        clock.set(Instant.EPOCH.plusNanos(now));
                        var answer = question.get();
                        var isLost = random.nextInt(100) < 5;
                        var heard = isLost ? new ApiAnswer.Unreachable("lost") : answer;
                        after(isLost ? 5 * SECOND : delay(), () -> reaction.to(heard, sentAt));
                    });
        }

        private long delay() {
            return random.nextInt(100) < 90
                    ? random.nextLong(SECOND / 20)
                    : random.nextLong(8 * SECOND);
        }

        /// Later, or much later when the process stalls.
        private void after(long nanos, Runnable action) {
            var stall = random.nextInt(100) < 3 ? random.nextLong(40 * SECOND) : 0;
            events.add(new Event(now + nanos + stall, order++, action));
        }
    }

    @FunctionalInterface
    private interface Reaction {
        void to(ApiAnswer answer, long sentAt);
    }

    private final SplittableRandom random;
    private final FakeClock clock = new FakeClock(Instant.EPOCH);
    private final FakeApi api = new FakeApi(clock);
    private final List<Belief> beliefs = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(
                    Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private long now;
    private long order;

    ElectionWorld(long seed, int candidates) {
        this.random = new SplittableRandom(seed);
        for (var number = 0; number < candidates; number++) {
            var process = new Candidate(number);
            events.add(new Event(random.nextLong(5 * SECOND), order++, process::turn));
        }
        if (random.nextBoolean()) {
            api.put(ResourceType.LEASE, abandoned());
        }
    }

    private static Value.Mapping abandoned() {
        return Tree.of("metadata", Tree.of("name", "leader").put("namespace", "kube-system"))
                .put("spec", Tree.of("holderIdentity", "dead").put("leaseDurationSeconds", 15))
                .mapping();
    }

    List<Belief> run() {
        while (!events.isEmpty() && events.element().at() < END) {
            var event = events.remove();
            now = event.at();
            event.action().run();
        }
        return beliefs.stream().sorted(Comparator.comparingLong(Belief::from)).toList();
    }

    static Duration length(Belief belief) {
        return Duration.ofNanos(Math.min(belief.until(), END) - belief.from());
    }
}
