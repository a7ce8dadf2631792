package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.OpenClaim.Acceptance;
import dev.millwright.core.scheduling.PodClass.Wish;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/// The order in which nodes in the making are asked: fewest pods first. Between claims with equally
/// many pods Karpenter's order is what a sort that keeps no order leaves; the two kinds differ in
/// what they do there.
sealed interface ClaimOrder {

    /// A claim that takes the pod, and what it becomes with it.
    record Offer(OpenClaim claim, Acceptance acceptance) {
        double rise() {
            return claim.priceWith(acceptance) - claim.price();
        }
    }

    /// The first claim that takes the pod.
    ///
    /// @param ask gives a claim's offer, or null when it refuses
    @Nullable Offer first(ClaimFilter filter, Wish wish, IntFunction<@Nullable Offer> ask);

    /// Told after the claim took a pod.
    void added(OpenClaim claim);

    /// Takes, of claims with equally many pods, the one whose price rises least, of equal ones the
    /// oldest. One set of claims for each number of pods lets 64 claims be passed over at once.
    final class LeastRise implements ClaimOrder {

        /// How many claims that would take a pod are compared.
        private static final int OFFERS_MAX = 16;

        private final List<long[]> byPods = new ArrayList<>();
        private final List<Integer> sizes = new ArrayList<>();
        private long[] used = Bits.EMPTY;

        @Override
        public void added(OpenClaim claim) {
            var pods = claim.podCount();
            while (byPods.size() <= pods) {
                byPods.add(Bits.EMPTY);
                sizes.add(0);
            }
            byPods.set(pods, Bits.with(byPods.get(pods), claim.number()));
            sizes.set(pods, sizes.get(pods) + 1);
            used = Bits.with(used, pods);
            if (pods > 1) {
                Bits.clear(byPods.get(pods - 1), claim.number());
                sizes.set(pods - 1, sizes.get(pods - 1) - 1);
                if (sizes.get(pods - 1) == 0) {
                    Bits.clear(used, pods - 1);
                }
            }
        }

        @Override
        public @Nullable Offer first(
                ClaimFilter filter, Wish wish, IntFunction<@Nullable Offer> ask) {
            for (var pods = Bits.next(used, 0); pods >= 0; pods = Bits.next(used, pods + 1)) {
                var offer = leastRise(byPods.get(pods), filter, wish, ask);
                if (offer != null) {
                    return offer;
                }
            }
            return null;
        }

        private static @Nullable Offer leastRise(
                long[] candidates,
                ClaimFilter filter,
                Wish wish,
                IntFunction<@Nullable Offer> ask) {
            Offer best = null;
            var bestRise = Double.POSITIVE_INFINITY;
            var offers = 0;
            for (var word = 0; word < candidates.length; word++) {
                var live = candidates[word] & ~wish.deadClaims(word);
                if (live == 0) {
                    continue;
                }
                for (live &= filter.word(word); live != 0; live &= live - 1) {
                    var offer = ask.apply((word << 6) + Long.numberOfTrailingZeros(live));
                    if (offer == null) {
                        continue;
                    }
                    var rise = offer.rise();
                    if (best == null || rise < bestRise) {
                        best = offer;
                        bestRise = rise;
                    }
                    if (++offers == OFFERS_MAX || rise <= 0) {
                        return best;
                    }
                }
            }
            return best;
        }
    }

    /// Keeps the order that claims with equally many pods had before, as Karpenter's sort does with
    /// up to a dozen claims.
    final class Stable implements ClaimOrder {

        /// Up to so many claims Karpenter's sort keeps the order of equal ones.
        static final int CLAIMS_MAX = 12;

        private final List<OpenClaim> claims = new ArrayList<>();

        @Override
        public void added(OpenClaim claim) {
            if (claim.podCount() == 1) {
                claims.add(claim);
            }
        }

        @Override
        public @Nullable Offer first(
                ClaimFilter filter, Wish wish, IntFunction<@Nullable Offer> ask) {
            claims.sort(Comparator.comparingInt(OpenClaim::podCount));
            for (var claim : claims) {
                var isOpen =
                        (filter.word(claim.number() >>> 6) & (1L << (claim.number() & 63))) != 0;
                var offer =
                        isOpen && !wish.isDeadClaim(claim.number())
                                ? ask.apply(claim.number())
                                : null;
                if (offer != null) {
                    return offer;
                }
            }
            return null;
        }
    }
}
