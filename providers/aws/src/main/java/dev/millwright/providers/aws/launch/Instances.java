package dev.millwright.providers.aws.launch;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.InstanceInfo;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/// The instances of this cluster. Questions about single ones are gathered into few calls.
public final class Instances {

    private static final Batcher.Window WINDOW =
            new Batcher.Window(Duration.ofMillis(100), Duration.ofSeconds(1), 500);

    /// What is known of an instance.
    public sealed interface Lookup {
        record Found(InstanceInfo instance) implements Lookup {}

        record Gone() implements Lookup {}

        record Failed(AwsFault fault) implements Lookup {}
    }

    public sealed interface Listing {
        record All(List<InstanceInfo> instances) implements Listing {}

        record Failed(AwsFault fault) implements Listing {}
    }

    public sealed interface Ending {
        record Begun() implements Ending {}

        record Gone() implements Ending {}

        record Failed(AwsFault fault) implements Ending {}
    }

    private final Ec2Api ec2;
    private final String cluster;
    private final Predicate<String> isShifted;
    private final Executor executor;
    private final Batcher<String, Lookup> lookups;
    private final Batcher<String, Ending> endings;
    private final ConcurrentHashMap<String, InstanceInfo> known = new ConcurrentHashMap<>();

    /// Hears of gathered calls by the batcher's name.
    public interface Listener {
        void asked(String batcher, int questions, Duration windowOpen);
    }

    /// @param isShifted whether traffic is led away from a zone: what is there is left alone
    /// @param executor runs calls, not in the caller
    public Instances(
            Ec2Api ec2,
            String cluster,
            Predicate<String> isShifted,
            Executor executor,
            Listener listener) {
        this.ec2 = ec2;
        this.cluster = cluster;
        this.isShifted = isShifted;
        this.executor = executor;
        this.lookups =
                new Batcher<>(
                        WINDOW,
                        _ -> "",
                        this::describe,
                        executor,
                        (count, open) -> listener.asked("describe_instances", count, open));
        this.endings =
                new Batcher<>(
                        WINDOW,
                        _ -> "",
                        this::terminateAll,
                        executor,
                        (count, open) -> listener.asked("terminate_instances", count, open));
    }

    /// What we knew last, else what EC2 says.
    public Lookup find(String id) {
        var instance = known.get(id);
        return instance == null ? findFresh(id) : new Lookup.Found(instance);
    }

    /// What EC2 says now. In a shifted zone what we knew last will do: its answers are not to be
    /// trusted.
    public Lookup findFresh(String id) {
        var before = known.get(id);
        if (before != null && isShifted.test(before.zone())) {
            return new Lookup.Found(before);
        }
        var answer = lookups.ask(id);
        switch (answer) {
            case Lookup.Found(var instance) -> known.put(id, instance);
            case Lookup.Gone() -> known.remove(id);
            case Lookup.Failed _ -> {}
        }
        return answer;
    }

    public void launched(InstanceInfo instance) {
        known.put(instance.id(), instance);
    }

    /// All that bear this cluster's tags.
    public Listing list() {
        try {
            var all =
                    ec2.instances(
                            List.of(),
                            List.of(
                                    Filter.of("tag-key", "karpenter.sh/nodepool"),
                                    Filter.of("tag-key", "karpenter.k8s.aws/ec2nodeclass"),
                                    Filter.of("tag:eks:eks-cluster-name", cluster),
                                    Filter.ALIVE));
            var ids = new HashSet<String>();
            for (var instance : all) {
                ids.add(instance.id());
                known.put(instance.id(), instance);
            }
            known.values()
                    .removeIf(
                            instance ->
                                    !ids.contains(instance.id())
                                            && !isShifted.test(instance.zone()));
            return new Listing.All(all);
        } catch (AwsFault fault) {
            return new Listing.Failed(fault);
        }
    }

    /// What is in a shifted zone is left alone until the shift ends.
    public Ending terminate(InstanceInfo instance) {
        return isShifted.test(instance.zone())
                ? new Ending.Failed(shifted(instance))
                : endings.ask(instance.id());
    }

    /// @throws AwsFault when EC2 refuses, or the instance's zone is shifted
    public void tag(InstanceInfo instance, SequencedMap<String, String> tags) throws AwsFault {
        if (isShifted.test(instance.zone())) {
            throw shifted(instance);
        }
        ec2.tag(List.of(instance.id()), tags);
        known.remove(instance.id());
    }

    private static AwsFault shifted(InstanceInfo instance) {
        return AwsFault.refused(
                "ZonalShift",
                "instance %s is in zone %s, from which traffic is shifted away; it is left alone"
                                .formatted(instance.id(), instance.zone())
                        + " until the shift ends");
    }

    private List<Lookup> describe(List<String> ids) {
        var answers = new HashMap<String, Lookup>();
        try {
            for (var instance : ec2.instances(distinct(ids), List.of(Filter.ALIVE))) {
                answers.put(instance.id(), new Lookup.Found(instance));
            }
        } catch (AwsFault _) {
            // One bad id spoils the call for all: each is asked about by itself.
        }
        return each(ids, answers, this::describeOne);
    }

    private Lookup describeOne(String id) {
        try {
            var found = ec2.instances(List.of(id), List.of(Filter.ALIVE));
            return found.isEmpty() ? new Lookup.Gone() : new Lookup.Found(found.getFirst());
        } catch (AwsFault fault) {
            return fault.isNotFound() ? new Lookup.Gone() : new Lookup.Failed(fault);
        }
    }

    private List<Ending> terminateAll(List<String> ids) {
        var answers = new HashMap<String, Ending>();
        try {
            ec2.terminate(distinct(ids))
                    .forEach(
                            (id, state) -> {
                                if (isGoing(state)) {
                                    answers.put(id, new Ending.Begun());
                                }
                            });
        } catch (AwsFault _) {
            // As with Describe: one bad id, and none is terminated.
        }
        return each(ids, answers, this::terminateOne);
    }

    private Ending terminateOne(String id) {
        try {
            var state = ec2.terminate(List.of(id)).get(id);
            return state != null && isGoing(state)
                    ? new Ending.Begun()
                    : new Ending.Failed(notGoing(id, state));
        } catch (AwsFault fault) {
            return fault.isNotFound() ? new Ending.Gone() : new Ending.Failed(fault);
        }
    }

    private static boolean isGoing(String state) {
        return state.equals("shutting-down") || state.equals("terminated");
    }

    private static AwsFault notGoing(String id, @Nullable String state) {
        return AwsFault.refused(
                "NotTerminating",
                "instance %s was told to terminate and is %s"
                        .formatted(id, state == null ? "not spoken of" : state));
    }

    private static List<String> distinct(List<String> ids) {
        return ids.stream().distinct().toList();
    }

    /// The answers in the order of the ids; those that are missing are asked for one by one, all at
    /// once.
    private <A> List<A> each(List<String> ids, Map<String, A> answers, Function<String, A> ask) {
        var missing = new HashMap<String, CompletableFuture<A>>();
        for (var id : ids) {
            if (!answers.containsKey(id)) {
                missing.computeIfAbsent(
                        id, _ -> CompletableFuture.supplyAsync(() -> ask.apply(id), executor));
            }
        }
        missing.forEach((id, answer) -> answers.put(id, answer.join()));
        var inOrder = new ArrayList<A>();
        for (var id : ids) {
            var answer = answers.get(id);
            if (answer != null) {
                inOrder.add(answer);
            }
        }
        return inOrder;
    }
}
