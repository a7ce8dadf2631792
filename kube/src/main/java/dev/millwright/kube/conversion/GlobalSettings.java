package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The ConfigMap `karpenter-global-settings` as values of the Helm chart and variables of the
/// process.
public final class GlobalSettings {

    static final String NAME = "karpenter-global-settings";

    private static final String DEFAULT_PROFILE = "aws.defaultInstanceProfile";
    private static final int TEXT_LENGTH_MAX = 1 << 18;

    /// How a setting is called in the chart and in the environment.
    private record Successor(String value, String variable) {}

    private static final Map<String, Successor> SUCCESSORS =
            Map.of(
                    "batchMaxDuration",
                    new Successor("batchMaxDuration", "BATCH_MAX_DURATION"),
                    "batchIdleDuration",
                    new Successor("batchIdleDuration", "BATCH_IDLE_DURATION"),
                    "aws.clusterCABundle",
                    new Successor("clusterCABundle", "CLUSTER_CA_BUNDLE"),
                    "aws.clusterName",
                    new Successor("clusterName", "CLUSTER_NAME"),
                    "aws.clusterEndpoint",
                    new Successor("clusterEndpoint", "CLUSTER_ENDPOINT"),
                    "aws.isolatedVPC",
                    new Successor("isolatedVPC", "ISOLATED_VPC"),
                    "aws.vmMemoryOverheadPercent",
                    new Successor("vmMemoryOverheadPercent", "VM_MEMORY_OVERHEAD_PERCENT"),
                    "aws.interruptionQueueName",
                    new Successor("interruptionQueue", "INTERRUPTION_QUEUE"),
                    "aws.reservedENIs",
                    new Successor("reservedENIs", "RESERVED_ENIS"));

    private static final Map<String, String> GONE =
            Map.of(
                    "aws.assumeRoleARN",
                    "give the controller its role by Pod Identity or IRSA",
                    "aws.assumeRoleDuration",
                    "give the controller its role by Pod Identity or IRSA",
                    DEFAULT_PROFILE,
                    "name role or instanceProfile in each EC2NodeClass",
                    "aws.enablePodENI",
                    "types with pod ENIs are known without it",
                    "aws.enableENILimitedPodDensity",
                    "use spec.kubelet.maxPods of the EC2NodeClass",
                    "aws.nodeNameConvention",
                    "nodes are found by their provider id",
                    "aws.tags",
                    "write them into spec.tags of each EC2NodeClass",
                    "featureGates.driftEnabled",
                    "drift is always on; hold it by a budget with the reason Drifted, or by millwright freeze");

    private GlobalSettings() {}

    /// The settings, and the profile that classes without one had.
    record Made(Settings settings, String defaultProfile) {}

    /// @param values of the Helm chart, from `settings` down
    /// @param environment the same as variables of the controller
    public record Settings(Value.Mapping values, SequencedMap<String, String> environment) {}

    static boolean is(Field object) {
        return NAME.equals(object.at("metadata").at("name").text(""));
    }

    static Made converted(Field map, Notebook notes) {
        var values = Tree.of();
        var environment = new TreeMap<String, String>();
        var data = map.at("data");
        var entries = data.entries();
        var texts = data.texts(TEXT_LENGTH_MAX);
        texts.forEach(
                (key, text) -> {
                    var entry = entries.get(key);
                    var successor = SUCCESSORS.get(key);
                    if (entry == null || text.isEmpty()) {
                        return;
                    }
                    if (successor == null) {
                        notes.dropped(
                                entry, GONE.getOrDefault(key, "no such setting is known any more"));
                        return;
                    }
                    notes.changed(
                            entry,
                            "settings.%s, %s".formatted(successor.value(), successor.variable()),
                            "");
                    values.put(successor.value(), value(successor.value(), text));
                    environment.put(successor.variable(), text);
                });
        return new Made(
                new Settings(Tree.of("settings", values).mapping(), environment),
                texts.getOrDefault(DEFAULT_PROFILE, ""));
    }

    private static Value value(String name, String text) {
        return switch (name) {
            case "isolatedVPC" -> new Value.Flag(Position.NOWHERE, text.equals("true"));
            case "vmMemoryOverheadPercent" -> new Value.Numeral(Position.NOWHERE, text);
            default -> Tree.text(text);
        };
    }
}
