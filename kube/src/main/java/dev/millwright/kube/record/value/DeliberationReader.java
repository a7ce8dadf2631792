package dev.millwright.kube.record.value;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Reads what [DeliberationWriter] wrote, from the first one on, in the same order.
public final class DeliberationReader {

    private final ValueTable table = new ValueTable();
    private final Map<String, Rows.Read<?>> rows = new HashMap<>();

    /// @throws DamageException when the bytes are not those of the next deliberation
    public Deliberation read(byte[] bytes) {
        try {
            var frame = new ValueIn(null, bytes, 0);
            for (var left = frame.count(); left > 0; left--) {
                table.add(frame.raw(frame.count()));
            }
            return deliberation(table.in(frame.rest()));
        } catch (DamageException damage) {
            throw damage;
        } catch (RuntimeException refused) {
            // Constructors of core refuse what no such value can be.
            throw new DamageException(
                    "no such decision can be: %s".formatted(refused.getMessage()), refused);
        }
    }

    private Deliberation deliberation(ValueIn in) {
        var word = in.text();
        var deliberation =
                switch (word) {
                    case Words.PROVISIONING ->
                            new Deliberation.Provisioning(
                                    scheduling(in), in.inline(PlanSpellings.PLAN));
                    case Words.DISRUPTION -> {
                        var asked = asked(in);
                        yield new Deliberation.Disruption(asked, decision(in, asked));
                    }
                    case Words.SECOND_LOOK ->
                            new Deliberation.SecondLook(
                                    disruption(in),
                                    in.list(DisruptionSpellings.COMMAND),
                                    in.inline(DisruptionSpellings.VALIDATIONS));
                    default ->
                            throw new DamageException(
                                    "found a decision of kind \"%s\"; wanted %s, %s or %s"
                                            .formatted(
                                                    word,
                                                    Words.PROVISIONING,
                                                    Words.DISRUPTION,
                                                    Words.SECOND_LOOK));
                };
        in.end("decision");
        return deliberation;
    }

    private <T> List<T> rows(ValueIn in, String place, Spelling<T> spelling) {
        @SuppressWarnings("unchecked") // One place has one spelling.
        var known = (Rows.Read<T>) rows.computeIfAbsent(place, _ -> new Rows.Read<T>());
        return known.read(in, spelling);
    }

    private Snapshot snapshot(ValueIn in) {
        var takenAt = in.instant();
        var nodes = rows(in, "nodes", ClusterSpellings.STATE_NODE);
        var pods = rows(in, "pods", PodSpellings.POD);
        var daemonSets = rows(in, "daemonSets", ClusterSpellings.DAEMON_SET);
        var namespaces = new TreeMap<String, Map<String, String>>();
        rows(in, "namespaces", ClusterSpellings.NAMESPACE)
                .forEach(each -> namespaces.put(each.name(), each.labels()));
        var storage =
                new Storage(
                        byName(
                                rows(in, "volumeClaims", ClusterSpellings.VOLUME_CLAIM),
                                Storage.VolumeClaim::name),
                        byName(rows(in, "volumes", ClusterSpellings.VOLUME), Storage.Volume::name),
                        byName(
                                rows(in, "storageClasses", ClusterSpellings.STORAGE_CLASS),
                                Storage.StorageClass::name));
        return new Snapshot(
                nodes,
                pods,
                daemonSets,
                namespaces,
                storage,
                rows(in, "budgets", ClusterSpellings.BUDGET),
                rows(in, "workloads", ClusterSpellings.WORKLOAD),
                takenAt);
    }

    private static <K extends Comparable<K>, T> SequencedMap<K, T> byName(
            List<T> all, Function<T, K> name) {
        var byName = new TreeMap<K, T>();
        all.forEach(each -> byName.put(name.apply(each), each));
        return byName;
    }

    private SchedulingProblem scheduling(ValueIn in) {
        return new SchedulingProblem(
                snapshot(in),
                in.value(PolicySpellings.POOLS),
                in.map(CatalogSpellings.TYPES),
                in.value(PolicySpellings.POLICY),
                new TreeSet<>(in.texts()),
                in.flag());
    }

    private DisruptionProblem disruption(ValueIn in) {
        return new DisruptionProblem(
                        scheduling(in),
                        rows(in, "machines", DisruptionSpellings.MACHINE),
                        in.map(PolicySpellings.RULES),
                        in.flag())
                .withPast(in.value(DisruptionSpellings.PAST));
    }

    private MethodCase asked(ValueIn in) {
        var problem = disruption(in);
        var method = in.constant(DisruptionMethod.class);
        var options = in.value(PolicySpellings.OPTIONS);
        return new MethodCase(
                problem,
                method,
                options,
                new MethodCase.Memory(
                        kept(in, "held/" + method),
                        new TreeSet<>(in.value(LabelSpellings.TEXTS)),
                        in.map(DisruptionSpellings.COUNTS)));
    }

    private Decision decision(ValueIn in, MethodCase asked) {
        var method = asked.method();
        return new Decision(
                method,
                in.list(DisruptionSpellings.COMMAND),
                kept(in, "kept/" + method),
                in.count(),
                Allowances.of(asked.problem(), method.reason()),
                in.flag(),
                in.value(DisruptionSpellings.SEARCH));
    }

    private SequencedMap<String, KeepReason> kept(ValueIn in, String place) {
        var kept = new TreeMap<String, KeepReason>();
        rows(in, place, KeepReasonSpellings.KEPT)
                .forEach(each -> kept.put(each.node(), each.reason()));
        return kept;
    }
}
