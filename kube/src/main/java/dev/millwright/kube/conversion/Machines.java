package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Machines of v1alpha5 as NodeClaims of v1beta1, which [NodeClaims] carries further. There are as
/// many as nodes, so that labels which only have another name are not told of each.
final class Machines {

    private static final Set<String> KNOWN =
            Set.of(
                    "taints",
                    "startupTaints",
                    "requirements",
                    "resources",
                    "kubelet",
                    "machineTemplateRef");

    private static final Map<String, String> CONDITIONS =
            Map.of(
                    "MachineLaunched",
                    "Launched",
                    "MachineRegistered",
                    "Registered",
                    "MachineInitialized",
                    "Initialized",
                    "MachineEmpty",
                    "Empty",
                    "MachineExpired",
                    "Expired",
                    "MachineDrifted",
                    "Drifted");

    private static final List<String> STATUS =
            List.of("nodeName", "providerID", "capacity", "allocatable");

    private Machines() {}

    static Value.Mapping converted(Field machine, Notebook notes) {
        var spec = machine.at("spec");
        notes.dropUnknown(spec, KNOWN);
        var made = Tree.of();
        for (var name : List.of("taints", "startupTaints", "resources", "kubelet")) {
            Provisioners.copy(spec.at(name), made, name);
        }
        made.putList("requirements", requirements(spec.at("requirements")));
        var reference = spec.at("machineTemplateRef");
        made.put("nodeClassRef", reference(reference));
        return Tree.of("apiVersion", OldKeys.BETA)
                .put("kind", "NodeClaim")
                .put("metadata", OldMetadata.of(machine, new Notebook()))
                .put("spec", made)
                .put("status", status(machine.at("status")))
                .mapping();
    }

    private static Tree reference(Field reference) {
        var kind = reference.at("kind").text("AWSNodeTemplate");
        var name = reference.at("name").requiredText("the name of the AWSNodeTemplate");
        return kind.equals("AWSNodeTemplate")
                ? Tree.of("apiVersion", OldKeys.AWS_BETA)
                        .put("kind", "EC2NodeClass")
                        .put("name", name)
                : Tree.of("apiVersion", reference.at("apiVersion").text(""))
                        .put("kind", kind)
                        .put("name", name);
    }

    /// A claim may ask for its own pool's label, by the name it has now.
    private static List<Value> requirements(Field requirements) {
        var kept = new ArrayList<Value>();
        for (var requirement : requirements.elements()) {
            var key = requirement.at("key").requiredText("the key of a label");
            if (!key.equals(OldKeys.INSTANCE_PODS)
                    && requirement.value() instanceof Value.Mapping mapping) {
                kept.add(Nested.with(mapping, OldKeys.renamed(key), "key"));
            }
        }
        return kept;
    }

    private static Tree status(Field status) {
        var made = Tree.of();
        for (var name : STATUS) {
            Provisioners.copy(status.at(name), made, name);
        }
        var conditions = new ArrayList<Value>();
        for (var condition : status.at("conditions").elements()) {
            var type = condition.at("type").text("");
            if (condition.value() instanceof Value.Mapping(var at, var fields)) {
                var renamed = new LinkedHashMap<>(fields);
                renamed.put("type", Tree.text(CONDITIONS.getOrDefault(type, type)));
                renamed.remove("severity"); // Conditions have none any more.
                conditions.add(new Value.Mapping(at, renamed));
            }
        }
        if (!conditions.isEmpty()) {
            made.putList("conditions", conditions);
        }
        return made;
    }
}
