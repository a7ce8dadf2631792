package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/// Gives pods that wait a node that is there, as kube-scheduler would: one after another, each the
/// node it likes best at that moment. It buys nothing and knows no plan.
///
/// kube-scheduler takes any of several nodes that it likes alike; this takes the first. The same
/// problem has the same answer.
public final class Binding {

    private static final Comparator<Pod> TURN =
            Comparator.comparing(Pod::createdAt).thenComparing(Pod::name);

    private Binding() {}

    /// The node of each pod that gets one, in the order in which they do. Nodes that must not take
    /// a pod have a taint that says so.
    public static SequencedMap<ObjectName, String> of(SchedulingProblem problem) {
        var compiled = new CompiledProblem(problem);
        var pass = new Pass(compiled, new ClaimOrder.LeastRise(), 0);
        var liking = new Liking(pass, problem.snapshot());
        var bound = new LinkedHashMap<ObjectName, String>();
        var order =
                IntStream.range(0, compiled.podCount())
                        .boxed()
                        .sorted(Comparator.comparing(compiled::pod, TURN))
                        .toList();
        for (var pod : order) {
            var place = place(pass, liking, pod);
            if (place >= 0) {
                bound.put(compiled.pod(pod).name(), pass.nodes().get(place).name());
            }
        }
        return Collections.unmodifiableSequencedMap(bound);
    }

    /// A wish is given up only where no node meets it.
    private static int place(Pass pass, Liking liking, int pod) {
        var podClass = pass.podClass(pod);
        var each = pass.problem().pod(pod);
        for (var given = 0; ; given++) {
            var wish = pass.wish(podClass, given);
            if (wish == null) {
                return -1;
            }
            var takers = pass.nodeFilling().takers(podClass, wish);
            if (!takers.isEmpty()) {
                var best = liking.best(each, podClass, takers);
                pass.nodeFilling().commit(best, pod, podClass);
                liking.placed(each, best);
                return best;
            }
        }
    }
}
