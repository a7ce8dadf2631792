package dev.millwright.kube.object;

import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolHash.HashInput;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.PoolObject.Budget;
import dev.millwright.kube.object.PoolObject.Disruption;
import dev.millwright.kube.object.PoolObject.Policy;
import dev.millwright.kube.translation.LabelTranslation;
import dev.millwright.kube.translation.NodePoolTranslation;
import dev.millwright.kube.translation.ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// Reads a NodePool with its faults.
final class PoolReading {

    private PoolReading() {}

    static PoolObject pool(
            Value.Mapping object, NodePoolTranslation translation, LabelTranslation labels) {
        var faults = new Faults();
        var field = Field.root("", object, faults);
        var meta = Meta.of(field);
        var status = field.at("status");
        var stored = ObjectReader.conditions(status);
        var pool = translation.nodePool(field, meta.translated());
        var nodes = status.at("nodes").whole(0, Long.MAX_VALUE);
        return new PoolObject(
                meta,
                live(pool, stored),
                hashInput(field.at("spec").at("template"), pool, labels),
                disruption(field.at("spec").at("disruption")),
                new PoolObject.Status(
                        status.at("resources").resources(),
                        nodes == null ? 0 : nodes,
                        status.at("nodeClassObservedGeneration").whole(0, Long.MAX_VALUE),
                        stored),
                texts(faults));
    }

    /// On a cluster a pool is ready when its controllers said so, not sooner.
    private static NodePool live(NodePool pool, List<Condition> stored) {
        var isReady =
                stored.stream()
                        .anyMatch(each -> each.type().equals(PoolObject.READY) && each.isTrue());
        return new NodePool(
                pool.name(),
                pool.weight(),
                pool.limits(),
                pool.template(),
                pool.replicas(),
                isReady,
                pool.isDeleting(),
                pool.nodeFeePerHour());
    }

    /// A list or map that is left out is not one that is empty: the hash tells them apart.
    private static HashInput hashInput(Field template, NodePool pool, LabelTranslation labels) {
        var metadata = template.at("metadata");
        var spec = template.at("spec");
        return new HashInput(
                texts(metadata, "labels", ObjectMeta.labels(metadata)),
                texts(metadata, "annotations", ObjectMeta.annotations(metadata)),
                taints(spec.at("taints"), labels),
                taints(spec.at("startupTaints"), labels),
                pool.template().nodeClassRef(),
                Durations.read(spec.at("terminationGracePeriod").text()),
                Durations.read(spec.at("expireAfter").text()));
    }

    private static @Nullable SequencedMap<String, String> texts(
            Field parent, String name, SequencedMap<String, String> texts) {
        return parent.at(name).isPresent() ? texts : null;
    }

    private static @Nullable List<Taint> taints(Field field, LabelTranslation labels) {
        return field.isPresent() ? labels.taints(field) : null;
    }

    private static Disruption disruption(Field field) {
        var budgets = new ArrayList<Budget>();
        for (var budget : field.at("budgets").elements()) {
            var nodes = budget.at("nodes").textOrNumber();
            budgets.add(
                    new Budget(
                            nodes == null ? "10%" : nodes,
                            budget.at("reasons").isPresent()
                                    ? budget.at("reasons").textList()
                                    : null,
                            budget.at("schedule").text(),
                            budget.at("duration").text()));
        }
        var after = field.at("consolidateAfter").text("0s");
        return new Disruption(
                Durations.read(after), policy(field.at("consolidationPolicy").text("")), budgets);
    }

    private static Policy policy(String text) {
        for (var policy : Policy.values()) {
            if (policy.text().equals(text)) {
                return policy;
            }
        }
        return Policy.WHEN_EMPTY_OR_UNDERUTILIZED;
    }

    static List<String> texts(Faults faults) {
        return faults.shown().stream()
                .map(
                        fault ->
                                fault.field().isEmpty()
                                        ? fault.problem()
                                        : fault.field() + ": " + fault.problem())
                .toList();
    }
}
