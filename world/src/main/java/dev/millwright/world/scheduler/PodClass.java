package dev.millwright.world.scheduler;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Pods that a scheduler cannot tell apart, with what is known of all of them at once.
final class PodClass {

    /// Selected pods over the values of a key: by how many a domain may be ahead.
    record SpreadRule(
            PodWish.Spread spread, Topology topology, Tally pods, boolean selectsItself) {}

    /// Pods counted over the values of a key, and what each is worth when nodes are compared.
    record Near(Topology topology, Tally pods, int weight) {}

    private final PodWish wish;
    private final long[] requests;
    private final List<Tally> selectedBy = new ArrayList<>();
    private final List<Tally> selectedWhileStaying = new ArrayList<>();
    private final List<Tally> carries = new ArrayList<>();
    private List<SpreadRule> hardSpread = List.of();
    private List<SpreadRule> softSpread = List.of();
    private @Nullable Tally wanted;
    private boolean wantsItself;
    private List<Topology> wantedNear = List.of();
    private List<Near> shunned = List.of();
    private final List<Near> shunnedBy = new ArrayList<>();
    private final List<Near> preferences = new ArrayList<>();
    private final List<Near> preferredBy = new ArrayList<>();
    private @Nullable Reason[] verdicts = new @Nullable Reason[0];
    private long[] traits = new long[0];
    private int members;
    private long failedFreed;
    private long failedPlaced;
    private String failure = "";

    PodClass(PodWish wish, long[] requests) {
        this.wish = wish;
        this.requests = requests;
    }

    PodWish wish() {
        return wish;
    }

    long[] requests() {
        return requests;
    }

    /// Tallies that this class's pods are counted in, wherever they are.
    List<Tally> selectedBy() {
        return selectedBy;
    }

    /// Tallies that do not count pods which are leaving.
    List<Tally> selectedWhileStaying() {
        return selectedWhileStaying;
    }

    /// Tallies of those who carry a term of pod affinity.
    List<Tally> carries() {
        return carries;
    }

    List<SpreadRule> hardSpread() {
        return hardSpread;
    }

    List<SpreadRule> softSpread() {
        return softSpread;
    }

    void spread(List<SpreadRule> hard, List<SpreadRule> soft) {
        hardSpread = List.copyOf(hard);
        softSpread = List.copyOf(soft);
    }

    /// Pods that match all terms of the required affinity; null where there is none.
    @Nullable Tally wanted() {
        return wanted;
    }

    boolean wantsItself() {
        return wantsItself;
    }

    List<Topology> wantedNear() {
        return wantedNear;
    }

    void want(Tally pods, boolean itself, List<Topology> near) {
        wanted = pods;
        wantsItself = itself;
        wantedNear = List.copyOf(near);
    }

    List<Near> shunned() {
        return shunned;
    }

    void shun(List<Near> pods) {
        shunned = List.copyOf(pods);
    }

    /// Those whose required anti-affinity is against this class.
    List<Near> shunnedBy() {
        return shunnedBy;
    }

    List<Near> preferences() {
        return preferences;
    }

    List<Near> preferredBy() {
        return preferredBy;
    }

    /// Whether the node's traits have been looked at.
    boolean knows(NodeSlot slot) {
        return slot.place() < traits.length && traits[slot.place()] == slot.traits();
    }

    /// What is wrong with the node's traits, if they are known; null if nothing.
    @Nullable Reason verdict(NodeSlot slot) {
        return verdicts[slot.place()];
    }

    void remember(NodeSlot slot, @Nullable Reason verdict) {
        var place = slot.place();
        if (place >= verdicts.length) {
            verdicts = Arrays.copyOf(verdicts, Math.max(16, place * 2));
            traits = Arrays.copyOf(traits, verdicts.length);
        }
        verdicts[place] = verdict;
        traits[place] = slot.traits();
    }

    /// Whether what pods on other nodes do can let one of this class in.
    boolean dependsOnOthers() {
        return !hardSpread.isEmpty()
                || wanted != null
                || !shunned.isEmpty()
                || !shunnedBy.isEmpty();
    }

    /// Why no place was found, if nothing has changed since then that could help.
    @Nullable String failure(long freed, long placed) {
        return failedFreed == freed && failedPlaced == placed && !failure.isEmpty()
                ? failure
                : null;
    }

    void failed(long freed, long placed, String message) {
        failedFreed = freed;
        failedPlaced = placed;
        failure = message;
    }

    void join() {
        members++;
    }

    /// Whether the last member has gone.
    boolean leave() {
        members--;
        return members == 0;
    }
}
