package dev.millwright.testing.kit;

import dev.millwright.core.cluster.Workload;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The words a test starts with: `cluster().with(pod("a").cpu("500m"), nodePool("default"))`.
public final class Given {

    /// When everything of a test was made.
    public static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    public static final String CSI_DRIVER = "fake.csi.provider";

    private Given() {}

    /// An empty cluster with one pool named `default` that may buy everything of
    /// [FakeCatalogue#standard()].
    public static ClusterBuilder cluster() {
        return ClusterBuilder.EMPTY;
    }

    public static PodBuilder pod(String name) {
        return PodBuilder.named(name);
    }

    public static PodBuilder pod(String name, String cpu) {
        return pod(name).cpu(cpu);
    }

    /// So many pods like the model, named after it: `web-1`, `web-2`, …
    public static List<PodBuilder> pods(int count, PodBuilder model) {
        var name = model.pod().name().name();
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> model.renamed(name + "-" + number))
                .toList();
    }

    public static NodePoolBuilder nodePool(String name) {
        return NodePoolBuilder.named(name);
    }

    public static NodeBuilder node(String name) {
        return NodeBuilder.named(name);
    }

    public static DaemonSetBuilder daemonSet(String name) {
        return new DaemonSetBuilder(name, pod(name));
    }

    public static InstanceTypeBuilder instanceType(String name) {
        return InstanceTypeBuilder.named(name);
    }

    public static VolumeClaimBuilder volumeClaim(String name) {
        return VolumeClaimBuilder.named(name);
    }

    public static VolumeBuilder volume(String name) {
        return VolumeBuilder.named(name);
    }

    public static StorageClassBuilder storageClass(String name) {
        return StorageClassBuilder.named(name);
    }

    public static WorkloadBuilder service(String name) {
        return WorkloadBuilder.named(Workload.Kind.SERVICE, name);
    }

    public static WorkloadBuilder workload(Workload.Kind kind, String name) {
        return WorkloadBuilder.named(kind, name);
    }

    public static BudgetBuilder disruptionBudget(String name, Map<String, String> labels) {
        return BudgetBuilder.named(name, labels);
    }

    public static Requirement in(String key, String... values) {
        return Requirement.in(key, values);
    }

    public static Requirement notIn(String key, String... values) {
        return Requirement.of(key, Operator.NOT_IN, values);
    }

    public static Requirement exists(String key) {
        return Requirement.exists(key);
    }

    public static Requirement doesNotExist(String key) {
        return Requirement.doesNotExist(key);
    }

    public static Requirement gt(String key, long number) {
        return Requirement.of(key, Operator.GT, Long.toString(number));
    }

    public static Requirement lt(String key, long number) {
        return Requirement.of(key, Operator.LT, Long.toString(number));
    }

    public static Requirement gte(String key, long number) {
        return Requirement.of(key, Operator.GTE, Long.toString(number));
    }

    public static Requirement lte(String key, long number) {
        return Requirement.of(key, Operator.LTE, Long.toString(number));
    }

    /// A taint that keeps pods away.
    public static Taint taint(String key, String value) {
        return new Taint(key, value, Effect.NO_SCHEDULE);
    }

    public static Taint taint(String key, String value, Effect effect) {
        return new Taint(key, value, effect);
    }
}
