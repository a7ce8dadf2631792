package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.object.Values;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.SequencedMap;
import java.util.TreeMap;

/// What a machine's or pool's template may refer to. All values are text; maps and lists are JSON,
/// which HCL reads as it is.
final class Variables {

    private Variables() {}

    /// Those of CAPT; and where fields of ours are used, those of ours too, each of them always, so
    /// that a template may count on them.
    static SequencedMap<String, String> machine(RawObject machine, Employer employer, Place place) {
        var spec = machine.spec();
        var variables = new TreeMap<String, String>();
        variables.put("instance_type", spec.at("instanceType").text(""));
        var group = spec.at("nodeGroupRef").at("name").text("");
        variables.put("node_group", group.isEmpty() ? machine.name().name() : group);
        variables.put("machine_name", machine.name().name());
        variables.put("labels", json(spec.at("labels")));
        variables.put("tags", json(tags(spec)));
        if (spec.at("nodeType").isPresent()) {
            group(variables, spec, null);
        }
        core(variables, employer, spec.at("failureDomain").text(""));
        place.put(variables);
        return variables;
    }

    /// @param replicas of the MachinePool; null when its size is not ours to set
    static SequencedMap<String, String> pool(
            RawObject pool, Employer employer, Place place, @Nullable Integer replicas) {
        var spec = pool.spec();
        var variables = new TreeMap<String, String>();
        variables.put("instance_type", spec.at("instanceType").text(""));
        variables.put("node_group", pool.name().name());
        variables.put("labels", json(spec.at("labels")));
        variables.put("tags", json(tags(spec)));
        group(variables, spec, replicas);
        core(variables, employer, "");
        place.put(variables);
        return variables;
    }

    /// A size that nobody stated follows from the others.
    private static void group(
            SequencedMap<String, String> variables, Field spec, @Nullable Integer replicas) {
        var scaling = spec.at("scaling");
        var stated = scaling.at("desiredSize").whole(0, (long) Integer.MAX_VALUE);
        var least = scaling.at("minSize").whole(0, (long) Integer.MAX_VALUE);
        var most = scaling.at("maxSize").whole(0, (long) Integer.MAX_VALUE);
        var desired =
                replicas != null ? replicas : stated != null ? stated : least != null ? least : 1;
        variables.put("node_type", spec.at("nodeType").text("ManagedNodeGroup"));
        variables.put("desired_size", Long.toString(desired));
        variables.put(
                "min_size", Long.toString(least == null ? desired : Math.min(least, desired)));
        variables.put(
                "max_size",
                Long.toString(Math.max(1, most == null ? desired : Math.max(most, desired))));
        variables.put("taints", spec.at("taints").isPresent() ? json(spec.at("taints")) : "[]");
    }

    private static void core(
            SequencedMap<String, String> variables, Employer employer, String ownZone) {
        if (employer instanceof Employer.Core(var owner)) {
            var zone = owner.spec().at("failureDomain").text(ownZone);
            variables.put("failure_domain", zone);
            variables.put("bootstrap_data_secret_name", Employer.bootstrapSecret(owner));
        } else if (!ownZone.isEmpty()) {
            variables.put("failure_domain", ownZone);
        }
    }

    /// Tags of a machine, and what a template of machines calls its tags.
    private static Value.Mapping tags(Field spec) {
        var tags = new Tree();
        Values.mapping(spec.at("additionalTags").value()).fields().forEach(tags::put);
        Values.mapping(spec.at("tags").value()).fields().forEach(tags::put);
        return tags.mapping();
    }

    private static String json(Field field) {
        var value = field.value();
        return json(value == null ? Tree.of().mapping() : value);
    }

    private static String json(Value value) {
        return JsonWriter.text(Values.canonical(value));
    }
}
