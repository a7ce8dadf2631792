package dev.millwright.providers.aws.network;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.cache.TimedCache;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassSpec.PlacementGroupSelector;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The placement group of each class that has one.
public final class PlacementGroups {

    private static final Duration FRESH = Duration.ofMinutes(1);
    private static final Duration KEPT = Duration.ofHours(24);
    private static final String AVAILABLE = "available";

    private final Ec2Api ec2;
    private final TimedCache<PlacementGroupSelector, Boolean> fresh;
    private final TimedCache<PlacementGroupSelector, PlacementGroupInfo> known;

    /// What asking for a class's group led to.
    public sealed interface Answer {

        /// The class asks for none.
        record NotWanted() implements Answer {}

        record Found(PlacementGroupInfo group) implements Answer {}

        record NotFound(PlacementGroupSelector selector) implements Answer {}

        /// EC2 did not say. What it said before may still be so.
        record Failed(AwsFault fault, @Nullable PlacementGroupInfo before) implements Answer {}
    }

    public PlacementGroups(Ec2Api ec2, InstantSource clock) {
        this.ec2 = ec2;
        this.fresh = new TimedCache<>(clock, FRESH);
        this.known = new TimedCache<>(clock, KEPT);
    }

    /// Asks EC2 unless it was asked a moment ago.
    public Answer of(Ec2NodeClass nodeClass) {
        var selector = nodeClass.spec().placementGroupSelector();
        if (selector == null) {
            return new Answer.NotWanted();
        }
        var before = known.find(selector);
        if (fresh.find(selector) != null) {
            return before == null ? new Answer.NotFound(selector) : new Answer.Found(before);
        }
        try {
            var group = first(ec2.placementGroups(question(selector)));
            fresh.put(selector, true);
            if (group == null) {
                // A group that was deleted must not come back out of an older answer.
                known.remove(selector);
                return new Answer.NotFound(selector);
            }
            known.put(selector, group);
            return new Answer.Found(group);
        } catch (AwsFault fault) {
            return new Answer.Failed(fault, before);
        }
    }

    private static @Nullable PlacementGroupInfo first(List<PlacementGroupInfo> groups) {
        return groups.stream()
                .filter(group -> group.state().equals(AVAILABLE))
                .findFirst()
                .orElse(null);
    }

    static List<Filter> question(PlacementGroupSelector selector) {
        var filters = new ArrayList<Filter>();
        if (selector.id() != null) {
            filters.add(Filter.of("group-id", selector.id()));
        } else if (selector.name() != null) {
            filters.add(Filter.of("group-name", selector.name()));
        }
        filters.add(Filter.of("state", AVAILABLE));
        return List.copyOf(filters);
    }

    /// The group EC2 told of last, without asking. A process that has just begun knows of none: who
    /// must not launch without the group asks [#of].
    public @Nullable PlacementGroupInfo known(Ec2NodeClass nodeClass) {
        var selector = nodeClass.spec().placementGroupSelector();
        return selector == null ? null : known.find(selector);
    }
}
