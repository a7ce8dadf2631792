package dev.millwright.providers.aws.removal;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// What was seen at one time.
///
/// @param cloud null when AWS did not tell
/// @param cluster null when the API server did not tell
/// @param unanswered what we do not know is counted as left
record Look(
        CloudRemains.@Nullable Found cloud,
        ClusterRemains.@Nullable Found cluster,
        List<Leftover> unanswered) {

    /// The kind of what nobody told.
    static final String ANSWER = "answer";

    Look {
        unanswered = List.copyOf(unanswered);
    }

    /// @param refusal why an instance was not ended, by its id; empty when nothing is known
    List<Leftover> leftovers(UnaryOperator<String> refusal) {
        var left = new ArrayList<Leftover>();
        if (cluster != null) {
            cluster.pools().forEach(each -> left.add(leftover(each)));
            cluster.claims().forEach(each -> left.add(leftover(each)));
            cluster.nodes().forEach(each -> left.add(leftover(each)));
            cluster.classes().forEach(each -> left.add(leftover(each)));
        }
        if (cloud != null) {
            for (var instance : cloud.instances()) {
                var why = refusal.apply(instance.id());
                left.add(
                        new Leftover(
                                Leftover.INSTANCE,
                                instance.id(),
                                why.isEmpty() ? instance.state() : instance.state() + "; " + why));
            }
            cloud.templates()
                    .forEach(each -> left.add(new Leftover(Leftover.TEMPLATE, each.name(), "")));
            cloud.profiles()
                    .forEach(each -> left.add(new Leftover(Leftover.PROFILE, each.name(), "")));
        }
        left.addAll(unanswered);
        return left;
    }

    private static Leftover leftover(ClusterRemains.Thing thing) {
        var meta = thing.meta();
        var why =
                !meta.isDeleting()
                        ? ""
                        : meta.finalizers().isEmpty()
                                ? "is being deleted"
                                : "is being deleted; waits for "
                                        + String.join(", ", meta.finalizers());
        return new Leftover(thing.type().kind(), thing.name(), why);
    }
}
