package dev.millwright.testing.bench.differential;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.checker.PlanChecker;
import dev.millwright.testing.kit.generator.Document;
import dev.millwright.testing.kit.generator.Snapshots;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Lays our plans beside the peer's answers. First fit must decide as the peer does in one of its
/// moods; the cheapest plan must not cost more than the peer's best one.
final class Judge {

    /// How much more first fit may cost where the peer never showed such a price.
    private static final double FIRST_FIT_SHARE = 1.005;

    /// Sums of prices differ in the last digits by the order of adding.
    private static final double PRICE_TOLERANCE = 1e-6;

    private static final int LISTED_MAX = 12;

    private Judge() {}

    static Judgement judge(Document document, PeerProcess peerProcess) {
        var problem = Snapshots.problem(document);
        var differences = new ArrayList<Difference>();
        var firstFit = plan(problem, Packing.FIRST_FIT, differences);
        var cheapest = plan(problem, Packing.CHEAPEST, differences);
        var peer = peerProcess.ask(document);
        if (peer.failure() != null || firstFit == null || cheapest == null) {
            return new Judgement(document, firstFit, cheapest, peer, false, differences);
        }
        var isSamePods = compareWaiting(firstFit, peer, differences);
        compareExisting(firstFit, peer, differences);
        if (isSamePods) {
            compareFirstFitPrice(firstFit, peer, differences);
            if (peer.isSteady() || !hasWishes(document)) {
                compareCheapestPrice(firstFit, cheapest, peer, differences);
            }
        }
        return new Judgement(
                document,
                firstFit,
                cheapest,
                peer,
                peer.nodes().contains(firstFit.nodes()),
                differences);
    }

    private static @Nullable OurAnswer plan(
            SchedulingProblem problem, Packing packing, List<Difference> differences) {
        var packed = problem.withPolicy(problem.policy().withPacking(packing));
        try {
            var plan = Planner.plan(packed);
            var violations = PlanChecker.check(packed, plan);
            if (!violations.isEmpty()) {
                differences.add(
                        new Difference(
                                Difference.Kind.BROKEN,
                                "%s: %s".formatted(packing, shortened(violations))));
            }
            return OurAnswer.of(plan);
        } catch (RuntimeException failure) {
            differences.add(
                    new Difference(Difference.Kind.BROKEN, "%s: %s".formatted(packing, failure)));
            return null;
        }
    }

    /// An answer that the peer did not give counts as one of its moods where its moods differ and
    /// each part of it was seen: a handful of ties has more outcomes than the peer can be asked
    /// for.
    private static boolean compareWaiting(
            OurAnswer ours, PeerAnswer peer, List<Difference> differences) {
        if (peer.waiting().contains(ours.waiting())) {
            return true;
        }
        var everSeen = new TreeSet<String>();
        var alwaysSeen = new TreeSet<>(peer.waiting().getFirst());
        peer.waiting().forEach(everSeen::addAll);
        peer.waiting().forEach(alwaysSeen::retainAll);
        var ourMore = new ArrayList<>(ours.waiting());
        ourMore.removeAll(everSeen);
        if (!peer.isSteady()) {
            // Who gets the last slot of a reservation, and who is put off to the next pass, is
            // luck.
            ourMore.removeAll(ours.deferred());
        }
        if (!ourMore.isEmpty()) {
            differences.add(new Difference(Difference.Kind.WE_WAIT, shortened(ourMore)));
        }
        alwaysSeen.removeAll(ours.waiting());
        if (!alwaysSeen.isEmpty()) {
            differences.add(
                    new Difference(Difference.Kind.PEER_WAITS, shortened(List.copyOf(alwaysSeen))));
        }
        return false;
    }

    private static void compareExisting(
            OurAnswer ours, PeerAnswer peer, List<Difference> differences) {
        if (peer.existing().contains(ours.existing())) {
            return;
        }
        var isEachPlaceSeen =
                ours.existing().entrySet().stream()
                        .allMatch(
                                place ->
                                        place.getValue().stream()
                                                .allMatch(
                                                        pod -> wasSeen(peer, place.getKey(), pod)));
        if (peer.isSteady() || !isEachPlaceSeen) {
            differences.add(
                    new Difference(
                            Difference.Kind.EXISTING,
                            "ours %s, the peer's %s"
                                    .formatted(ours.existing(), shortened(peer.existing()))));
        }
    }

    private static boolean wasSeen(PeerAnswer peer, String node, String pod) {
        return peer.existing().stream()
                .anyMatch(places -> places.getOrDefault(node, List.of()).contains(pod));
    }

    /// Whether pods have wishes: by chance the peer gives up more of them, and then its nodes are
    /// cheaper but worse.
    private static boolean hasWishes(Document document) {
        return document.contains("preferredDuringSchedulingIgnoredDuringExecution", wishes -> true)
                || document.contains("whenUnsatisfiable", "ScheduleAnyway"::equals)
                || document.contains("effect", "PreferNoSchedule"::equals);
    }

    private static void compareFirstFitPrice(
            OurAnswer firstFit, PeerAnswer peer, List<Difference> differences) {
        var price = firstFit.plan().pricePerHour();
        if (price > peer.priceMax() + PRICE_TOLERANCE
                && price > peer.priceMin() * FIRST_FIT_SHARE) {
            differences.add(
                    new Difference(
                            Difference.Kind.FIRST_FIT_PRICE,
                            "ours %.6f, the peer's %.6f to %.6f"
                                    .formatted(price, peer.priceMin(), peer.priceMax())));
        }
    }

    /// With other pods on other nodes the two prices are of two different things.
    private static void compareCheapestPrice(
            OurAnswer firstFit, OurAnswer cheapest, PeerAnswer peer, List<Difference> differences) {
        var isComparable =
                cheapest.waiting().equals(firstFit.waiting())
                        && peer.waiting().size() == 1
                        && peer.existing().size() == 1
                        && cheapest.existing().equals(peer.existing().getFirst());
        var best = cheapest.plan().pricePerHour();
        if (isComparable && best > peer.priceMin() + PRICE_TOLERANCE) {
            differences.add(
                    new Difference(
                            Difference.Kind.CHEAPEST_PRICE,
                            "ours %.6f, the peer's best %.6f".formatted(best, peer.priceMin())));
        }
    }

    private static String shortened(List<?> elements) {
        return elements.size() <= LISTED_MAX
                ? elements.toString()
                : elements.subList(0, LISTED_MAX)
                        + " and "
                        + (elements.size() - LISTED_MAX)
                        + " more";
    }
}
