package dev.millwright.core.scheduling;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;

/// What the limits of the pools still leave. Whichever shape a claim is launched as, the limit
/// holds: each claim is charged the most of every resource that any of its shapes could bring.
final class PoolLimits {

    private static final long UNLIMITED = Long.MAX_VALUE;

    private final List<PoolTemplate> templates;
    private final ResourceSpace resources;
    private final long[] @Nullable [] left;
    private final int nodesIndex;

    PoolLimits(CompiledProblem problem) {
        this.templates = problem.templates();
        this.resources = problem.resources();
        this.nodesIndex = resources.indexOf(Resources.NODES);
        this.left = new long[templates.size()][];
        for (var index = 0; index < left.length; index++) {
            left[index] = left(templates.get(index), problem.places());
        }
    }

    private long @Nullable [] left(PoolTemplate template, List<Ground.Place> places) {
        var limits = template.pool().limits();
        if (limits.isEmpty()) {
            return null;
        }
        var rest = limits;
        for (var place : places) {
            var room = place.room();
            if (template.name().equals(room.node().labels().get(LabelKeys.NODE_POOL))) {
                rest = rest.minus(room.node().capacity().with(Resources.NODES, Quantity.ONE));
            }
        }
        var counts = resources.supply(rest);
        for (var index = 0; index < counts.length; index++) {
            if (!limits.has(resources.name(index))) {
                counts[index] = UNLIMITED;
            }
        }
        return counts;
    }

    /// What the limits of the pool leave, or null where it has none. Callers do not change it.
    long @Nullable [] left(int template) {
        return left[template];
    }

    /// Why the pool may have no further node whatever the pod, or null.
    @Nullable Refusal exhausted(int template) {
        var limit = left[template];
        if (limit == null) {
            return null;
        }
        if (isOutOfNodes(limit)) {
            return new Refusal.NodeLimit();
        }
        var shapes = Bits.all(templates.get(template).shapes().size());
        keep(template, shapes);
        return Bits.isEmpty(shapes) ? new Refusal.Limit(remaining(limit)) : null;
    }

    /// The refusal of a pool whose limits leave room, but for none of the shapes that would do;
    /// null without limits.
    @Nullable Refusal tooTight(int template) {
        var limit = left[template];
        return limit == null ? null : new Refusal.Limit(remaining(limit));
    }

    private Resources remaining(long[] limit) {
        var remaining = new TreeMap<String, Quantity>();
        for (var index = 0; index < limit.length; index++) {
            if (limit[index] != UNLIMITED) {
                remaining.put(resources.name(index), resources.quantity(index, limit[index]));
            }
        }
        return new Resources(remaining);
    }

    private boolean isOutOfNodes(long[] limit) {
        return nodesIndex >= 0 && limit[nodesIndex] == 0;
    }

    /// Leaves only shapes that the limits allow; tells whether any is left.
    boolean keep(int template, long[] shapes) {
        var limit = left[template];
        if (limit == null) {
            return !Bits.isEmpty(shapes);
        }
        if (isOutOfNodes(limit)) {
            return false;
        }
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            var capacity = templates.get(template).capacity(shape);
            for (var index = 0; index < limit.length; index++) {
                if (capacity[index] > limit[index]) {
                    Bits.clear(shapes, shape);
                    break;
                }
            }
        }
        return !Bits.isEmpty(shapes);
    }

    void charge(int template, long[] shapes) {
        var limit = left[template];
        if (limit == null) {
            return;
        }
        var most = new long[limit.length];
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            var capacity = templates.get(template).capacity(shape);
            for (var index = 0; index < most.length; index++) {
                most[index] = Math.max(most[index], capacity[index]);
            }
        }
        for (var index = 0; index < limit.length; index++) {
            if (limit[index] != UNLIMITED) {
                limit[index] -= most[index];
            }
        }
    }
}
