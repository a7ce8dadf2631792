package dev.millwright.core.scheduling;

import dev.millwright.core.label.Requirements;
import dev.millwright.core.scheduling.PodClass.Wish;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Finds the domains a pod binds a node in the making to. Where several are equally good Karpenter
/// takes any; here all are looked at and the cheapest one that leaves a shape is taken, so that a
/// domain nobody sells does not keep the pod waiting for ever.
final class DomainChoice {

    /// Combinations of equally good domains that are looked at.
    private static final int COMBINATIONS_MAX = 64;

    /// What a claim would be: its requirement set and the shapes left.
    record Chosen(int set, long[] shapes, double price) {}

    private final int draw;
    private final RequirementSpace space;
    private final PoolTemplate template;
    private final int asked;
    private final long[] shapes;
    private final List<TopologyGroup> groups = new ArrayList<>();
    private final List<long[]> open = new ArrayList<>();
    private @Nullable Chosen best;
    private int looked;

    /// @param asked the requirement set before any group has had its say; each group is asked about
    ///   it
    /// @param shapes shapes that hold the pod
    /// @param draw turns the order of equally good domains and takes the first that will do; at 0
    ///   the cheapest is taken
    DomainChoice(
            RequirementSpace space, PoolTemplate template, int asked, long[] shapes, int draw) {
        this.draw = draw;
        this.space = space;
        this.template = template;
        this.asked = asked;
        this.shapes = shapes;
    }

    @Nullable Chosen choose(PodClass podClass, Wish wish) {
        var owned = wish.owned();
        if (wish.hasSharedTopology()) {
            for (var index = 0; index < owned.size(); index++) {
                var group = owned.get(index);
                if (!group.isHostname()) {
                    groups.add(group);
                    open.add(group.open(wish.podDomains(index), wish.isSelected(index)));
                }
            }
        }
        for (var group : podClass.labelClass().keptAwayBy()) {
            if (!group.isHostname()) {
                groups.add(group);
                open.add(group.open(podDomains(group, wish), false));
            }
        }
        look(0, asked);
        return best;
    }

    private static long[] podDomains(TopologyGroup group, Wish wish) {
        return group.key().allowed(wish.strict().orNull(group.key().name()));
    }

    private void look(int index, int set) {
        if (index == groups.size()) {
            weigh(set);
            return;
        }
        var group = groups.get(index);
        var options = group.options(open.get(index), group.key().allowedBySet(asked));
        for (var step = 0; step < options.size(); step++) {
            var option = options.get(draw == 0 ? step : (step + drawn(index)) % options.size());
            if (looked >= COMBINATIONS_MAX || (draw != 0 && best != null)) {
                return;
            }
            var narrowed =
                    space.narrow(
                            set, space.number(Requirements.of(group.key().requirement(option))));
            if (narrowed != RequirementSpace.IMPOSSIBLE) {
                look(index + 1, narrowed);
            }
        }
    }

    /// A number that looks random and is the same for the same draw.
    private int drawn(int index) {
        var mixed = (draw + index) * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 40);
    }

    private void weigh(int set) {
        looked++;
        var kept = set == asked ? shapes : Bits.and(shapes, template.meeting(set));
        if (Bits.isEmpty(kept)) {
            return;
        }
        if (groups.isEmpty()) {
            best = new Chosen(set, kept, 0);
            return;
        }
        var price = template.priceAt(set, template.cheapest(kept, set, 0));
        if (best == null || price < best.price()) {
            best = new Chosen(set, kept, price);
        }
    }
}
