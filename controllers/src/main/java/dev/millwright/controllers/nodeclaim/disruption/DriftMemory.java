package dev.millwright.controllers.nodeclaim.disruption;

import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// What was found of claims and when, by their names, so that a claim which is looked at for
/// another reason does not ask the cloud again. A restart asks once for each.
public final class DriftMemory {

    /// All that a judgement depends on besides the cloud. Another value asks again. What people say
    /// about when nodes may go changes no machine and is left out.
    record Facts(
            String claimUid,
            SequencedMap<String, String> labels,
            SequencedMap<String, String> annotations,
            String poolUid,
            long poolGeneration,
            SequencedMap<String, String> poolAnnotations,
            String classVersion) {

        static Facts of(ClaimObject claim, PoolObject pool, @Nullable NodeClassObject nodeClass) {
            return new Facts(
                    claim.meta().uid(),
                    claim.meta().labels(),
                    claim.meta().annotations(),
                    pool.meta().uid(),
                    pool.meta().generation(),
                    withoutControls(pool.meta().annotations()),
                    nodeClass == null ? "" : nodeClass.meta().resourceVersion());
        }
    }

    private static SequencedMap<String, String> withoutControls(
            SequencedMap<String, String> annotations) {
        var others = new TreeMap<>(annotations);
        others.keySet().removeIf(key -> key.startsWith(ControlKeys.PREFIX));
        return others;
    }

    /// An empty reason means no drift.
    record Judgement(Facts facts, String reason, Instant at) {}

    private record TypeSeen(String uid, Instant at) {}

    private final ConcurrentHashMap<String, Judgement> judgements = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, TypeSeen> typesSeen = new ConcurrentHashMap<>();

    @Nullable Judgement judgement(String claim) {
        return judgements.get(claim);
    }

    void judged(String claim, Judgement judgement) {
        judgements.put(claim, judgement);
    }

    /// When the claim's type was last found in the catalogue.
    @Nullable Instant typeSeenAt(ClaimObject claim) {
        var seen = typesSeen.get(claim.name().name());
        return seen == null || !seen.uid().equals(claim.meta().uid()) ? null : seen.at();
    }

    void typeSeen(ClaimObject claim, Instant now) {
        typesSeen.put(claim.name().name(), new TypeSeen(claim.meta().uid(), now));
    }

    /// The claim is gone.
    void forget(String claim) {
        judgements.remove(claim);
        typesSeen.remove(claim);
    }
}
