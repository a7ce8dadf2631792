package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.List;

/// Claims in the order they are tried: fewest pods first, of equal number the older first. One set
/// of claims for each number of pods lets 64 claims be passed over at once.
final class ClaimOrder {

    private final List<long[]> byPods = new ArrayList<>();
    private final List<int[]> sizes = new ArrayList<>();

    void add(int claim, int pods) {
        while (byPods.size() <= pods) {
            byPods.add(Bits.EMPTY);
            sizes.add(new int[1]);
        }
        byPods.set(pods, Bits.with(byPods.get(pods), claim));
        sizes.get(pods)[0]++;
    }

    void move(int claim, int fromPods, int toPods) {
        Bits.clear(byPods.get(fromPods), claim);
        sizes.get(fromPods)[0]--;
        add(claim, toPods);
    }

    /// One more than the greatest number of pods any claim has had.
    int levels() {
        return byPods.size();
    }

    boolean isEmpty(int pods) {
        return sizes.get(pods)[0] == 0;
    }

    /// The claims with so many pods. Callers do not change it.
    long[] claims(int pods) {
        return byPods.get(pods);
    }
}
