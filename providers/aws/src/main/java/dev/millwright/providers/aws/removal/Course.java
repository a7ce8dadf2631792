package dev.millwright.providers.aws.removal;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.InstanceInfo;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// One removal under way: what is done about what is seen, and what was done before.
final class Course {

    /// What a controller at work gets to finish by itself, before we do what it would do.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Looks in a row that must find nothing: EC2 may overlook what is new.
    private static final int CLEAN_LOOKS = 2;

    private final CloudRemains cloud;
    private final @Nullable ClusterRemains cluster;
    private final Instant drainEnd;
    private final Narrator narrator;
    private final Pulse pulse = new Pulse();
    private final TreeMap<String, Leftover> seen = new TreeMap<>();
    private final TreeSet<String> forced = new TreeSet<>();
    private final TreeSet<String> released = new TreeSet<>();
    private final TreeMap<String, String> refusals = new TreeMap<>();

    /// Since when things wait for a controller to finish with them, by title.
    private final TreeMap<String, Instant> waitingSince = new TreeMap<>();

    private boolean isForced;
    private int cleanLooks;

    Course(
            CloudRemains cloud,
            @Nullable ClusterRemains cluster,
            Consumer<String> notes,
            Instant drainEnd) {
        this.cloud = cloud;
        this.cluster = cluster;
        this.drainEnd = drainEnd;
        this.narrator = new Narrator(notes);
    }

    boolean isProved(Look look) {
        var left = left(look);
        for (var each : left) {
            seen.put(each.title(), each);
        }
        cleanLooks = left.isEmpty() ? cleanLooks + 1 : 0;
        return cleanLooks >= CLEAN_LOOKS;
    }

    Report report(Look look) {
        var left = left(look);
        left.forEach(each -> seen.remove(each.title()));
        seen.values().removeIf(each -> each.kind().equals(Look.ANSWER));
        return new Report(
                List.copyOf(seen.values()), List.copyOf(forced), List.copyOf(released), left);
    }

    private List<Leftover> left(Look look) {
        return look.leftovers(id -> refusals.getOrDefault(id, ""));
    }

    void act(Look look, Instant now) {
        var inCluster = look.cluster();
        if (cluster != null && inCluster != null) {
            pulse.seen(deeds(cluster, inCluster, now), now);
            delete(cluster, inCluster.pools());
            delete(cluster, inCluster.claims());
        }
        if (isDraining(inCluster, now)) {
            return;
        }
        var inCloud = look.cloud();
        if (inCloud != null) {
            end(inCloud.instances());
            if (cluster != null && inCluster != null) {
                settle(cluster, inCluster, inCloud, now);
            }
            clean(inCloud, inCluster, now);
        }
        narrator.tellLeft(left(look), now);
    }

    /// What shows that a controller is at work.
    private SequencedMap<String, String> deeds(
            ClusterRemains from, ClusterRemains.Found found, Instant now) {
        var deeds = new TreeMap<String, String>();
        try {
            deeds.putAll(from.leases());
        } catch (IOException failure) {
            narrator.tell(Removal.text(failure));
            deeds.put("unknown", now.toString());
        }
        if (deeds.isEmpty()) {
            found.claims().forEach(each -> deeds.put(each.title(), each.meta().resourceVersion()));
            found.classes().forEach(each -> deeds.put(each.title(), each.meta().resourceVersion()));
            if (found.nodes().stream().anyMatch(each -> each.meta().isDeleting())) {
                deeds.put("draining", now.toString()); // Nobody else deletes nodes.
            }
        }
        return deeds;
    }

    private void delete(ClusterRemains from, List<ClusterRemains.Thing> things) {
        for (var thing : things) {
            if (!thing.meta().isDeleting()) {
                try {
                    from.delete(thing);
                    narrator.tell("deleted " + thing.title());
                } catch (IOException failure) {
                    narrator.tell(Removal.text(failure));
                }
            }
        }
    }

    /// Instances are left to whoever drains them, until there is nobody or the time is over.
    private boolean isDraining(ClusterRemains.@Nullable Found found, Instant now) {
        if (isForced || cluster == null || (found != null && found.claims().isEmpty())) {
            return false;
        }
        if (!now.isBefore(drainEnd)) {
            narrator.tell("the time for drains is over: instances are ended now");
            isForced = true;
            return false;
        }
        if (pulse.isStill(now)) {
            narrator.tell(
                    "no controller is at work (nothing was done, nor its lease renewed, for %ds): nobody drains nodes, so instances are ended now"
                            .formatted(Pulse.QUIET_MAX.toSeconds()));
            isForced = true;
            return false;
        }
        if (found != null) {
            narrator.tellDrains(cluster, found.claims(), Duration.between(now, drainEnd), now);
        }
        return true;
    }

    private void end(List<InstanceInfo> instances) {
        var alive =
                instances.stream()
                        .filter(each -> !each.isGoing())
                        .map(InstanceInfo::id)
                        .sorted()
                        .toList();
        if (alive.isEmpty()) {
            return;
        }
        refusals.clear();
        refusals.putAll(cloud.end(alive));
        var told = new ArrayList<>(alive);
        told.removeAll(refusals.keySet());
        if (forced.addAll(told)) {
            narrator.tell(
                    "ended %d instances: %s"
                            .formatted(
                                    told.size(), told.stream().collect(Collectors.joining(", "))));
        }
    }

    /// Finishes what waits for a controller: claims and nodes whose instances are proved to have
    /// ended, and classes of which nothing is left.
    private void settle(
            ClusterRemains from,
            ClusterRemains.Found found,
            CloudRemains.Found inCloud,
            Instant now) {
        var held = new ArrayList<>(found.claims());
        held.addAll(found.nodes());
        var ids = new TreeSet<String>();
        held.forEach(each -> ids.add(each.instanceId()));
        ids.remove("");
        try {
            var existing = cloud.existing(ids);
            for (var thing : held) {
                var isEnded =
                        thing.instanceId().isEmpty()
                                ? inCloud.instances().isEmpty()
                                : !existing.contains(thing.instanceId());
                if (isEnded && !isLeftToController(thing, now)) {
                    finish(from, thing, "its instance has ended");
                }
            }
        } catch (AwsFault fault) {
            narrator.tell("whether instances have ended is not known: " + fault.text());
            return;
        }
        if (!found.claims().isEmpty()) {
            return;
        }
        delete(from, found.classes());
        for (var thing : found.classes()) {
            if (inCloud.equals(CloudRemains.Found.NOTHING) && !isLeftToController(thing, now)) {
                finish(from, thing, "nothing of it is left in EC2 and IAM");
            }
        }
    }

    private boolean isLeftToController(ClusterRemains.Thing thing, Instant now) {
        var since = waitingSince.computeIfAbsent(thing.title(), _ -> now);
        return !pulse.isStill(now) && now.isBefore(since.plus(PATIENCE));
    }

    private void finish(ClusterRemains from, ClusterRemains.Thing thing, String why) {
        try {
            if (!thing.meta().isDeleting()) {
                from.delete(thing);
            } else if (from.release(thing)) {
                released.add(thing.title());
                narrator.tell(
                        "took the finalizer off %s: no controller did, and %s"
                                .formatted(thing.title(), why));
            }
        } catch (IOException failure) {
            narrator.tell(Removal.text(failure));
        }
    }

    /// Templates and profiles go after the last instance; a class's controller goes first.
    private void clean(
            CloudRemains.Found found, ClusterRemains.@Nullable Found inCluster, Instant now) {
        if (!found.instances().isEmpty() || isClusterBusy(inCluster, now)) {
            return;
        }
        for (var template : found.templates()) {
            attempt("launch template " + template.name(), () -> cloud.delete(template));
        }
        for (var profile : found.profiles()) {
            attempt("instance profile " + profile.name(), () -> cloud.delete(profile));
        }
    }

    private boolean isClusterBusy(ClusterRemains.@Nullable Found found, Instant now) {
        return found != null
                && (!found.claims().isEmpty()
                        || found.classes().stream()
                                .anyMatch(each -> isLeftToController(each, now)));
    }

    @FunctionalInterface
    private interface Deed {
        void run() throws AwsFault;
    }

    private void attempt(String what, Deed deed) {
        try {
            deed.run();
            narrator.tell("deleted " + what);
        } catch (AwsFault fault) {
            narrator.tell("%s cannot be deleted: %s".formatted(what, fault.text()));
        }
    }
}
