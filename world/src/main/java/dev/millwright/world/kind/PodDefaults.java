package dev.millwright.world.kind;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// What the server fills into the specs of pods and of their templates.
public final class PodDefaults {

    private static final Value NOT_READY = toleration("node.kubernetes.io/not-ready");
    private static final Value UNREACHABLE = toleration("node.kubernetes.io/unreachable");
    private static final Value SECONDS_30 = Trees.number(30);
    private static final Value TCP = Trees.text("TCP");
    private static final Value CLUSTER_FIRST = Trees.text("ClusterFirst");
    private static final Value ALWAYS = Trees.text("Always");
    private static final Value IF_NOT_PRESENT = Trees.text("IfNotPresent");
    private static final Value DEFAULT_SCHEDULER = Trees.text("default-scheduler");
    private static final Value DEFAULT_ACCOUNT = Trees.text("default");
    private static final Value MESSAGE_PATH = Trees.text("/dev/termination-log");
    private static final Value MESSAGE_POLICY = Trees.text("File");

    private PodDefaults() {}

    private static Value toleration(String key) {
        return Tree.of("key", key)
                .put("operator", "Exists")
                .put("effect", "NoExecute")
                .put("tolerationSeconds", 300)
                .mapping();
    }

    /// The spec of a pod template.
    static Value.Mapping template(Value.Mapping spec) {
        return Trees.changed(spec, PodDefaults::fillTemplate);
    }

    /// The spec of a pod, as its schema and the server's admission leave it.
    public static Value.Mapping pod(Value.Mapping spec) {
        return Trees.changed(
                spec,
                fields -> {
                    fillTemplate(fields);
                    requestLimits(fields, "containers");
                    requestLimits(fields, "initContainers");
                    fields.putIfAbsent(
                            "enableServiceLinks", new Value.Flag(Position.NOWHERE, true));
                    fields.putIfAbsent("serviceAccountName", DEFAULT_ACCOUNT);
                    fields.putIfAbsent("serviceAccount", fields.get("serviceAccountName"));
                    var old =
                            fields.get("tolerations") instanceof Value.Sequence(_, var elements)
                                    ? elements
                                    : List.<Value>of();
                    fields.put("tolerations", Tree.list(tolerations(old)));
                });
    }

    /// Who does not say how long it stays on a lost node stays five minutes.
    private static List<Value> tolerations(List<Value> stated) {
        var all = new ArrayList<>(stated);
        if (stated.stream().noneMatch(each -> tolerates(each, "node.kubernetes.io/not-ready"))) {
            all.add(NOT_READY);
        }
        if (stated.stream().noneMatch(each -> tolerates(each, "node.kubernetes.io/unreachable"))) {
            all.add(UNREACHABLE);
        }
        return all;
    }

    private static boolean tolerates(Value toleration, String key) {
        if (!(toleration instanceof Value.Mapping mapping)) {
            return false;
        }
        var stated = Trees.text(mapping, "key");
        var effect = Trees.text(mapping, "effect");
        return (stated.equals(key) || stated.isEmpty())
                && (effect.equals("NoExecute") || effect.isEmpty());
    }

    private static void fillTemplate(SequencedMap<String, Value> fields) {
        fields.putIfAbsent("restartPolicy", ALWAYS);
        fields.putIfAbsent("terminationGracePeriodSeconds", SECONDS_30);
        fields.putIfAbsent("dnsPolicy", CLUSTER_FIRST);
        fields.putIfAbsent("securityContext", Trees.EMPTY);
        fields.putIfAbsent("schedulerName", DEFAULT_SCHEDULER);
        fillContainers(fields, "containers");
        fillContainers(fields, "initContainers");
    }

    private static void fillContainers(Map<String, Value> spec, String field) {
        if (spec.get(field) instanceof Value.Sequence(_, var containers)) {
            spec.put(field, Tree.list(containers.stream().map(PodDefaults::container).toList()));
        }
    }

    private static Value container(Value value) {
        return value instanceof Value.Mapping container
                ? Trees.changed(container, PodDefaults::fillContainer)
                : value;
    }

    private static void fillContainer(SequencedMap<String, Value> fields) {
        var image = fields.get("image") instanceof Value.Text(_, var text) ? text : "";
        fields.putIfAbsent("imagePullPolicy", isLatest(image) ? ALWAYS : IF_NOT_PRESENT);
        fields.putIfAbsent("resources", Trees.EMPTY);
        fields.putIfAbsent("terminationMessagePath", MESSAGE_PATH);
        fields.putIfAbsent("terminationMessagePolicy", MESSAGE_POLICY);
        if (fields.get("ports") instanceof Value.Sequence(_, var ports)) {
            fields.put("ports", Tree.list(ports.stream().map(PodDefaults::port).toList()));
        }
    }

    private static boolean isLatest(String image) {
        if (image.contains("@")) {
            return false;
        }
        var last = image.substring(image.lastIndexOf('/') + 1);
        return !last.contains(":") || last.endsWith(":latest");
    }

    private static Value port(Value value) {
        return value instanceof Value.Mapping port
                ? Trees.changed(port, fields -> fields.putIfAbsent("protocol", TCP))
                : value;
    }

    /// A container that has a limit and no request for something asks for its limit.
    private static void requestLimits(Map<String, Value> spec, String field) {
        if (spec.get(field) instanceof Value.Sequence(_, var containers)) {
            spec.put(field, Tree.list(containers.stream().map(PodDefaults::withRequests).toList()));
        }
    }

    private static Value withRequests(Value value) {
        if (!(value instanceof Value.Mapping container)) {
            return value;
        }
        var resources = Trees.mapping(container, "resources");
        var limits = Trees.mapping(resources, "limits");
        if (limits.fields().isEmpty()) {
            return value;
        }
        var requests = new LinkedHashMap<>(Trees.mapping(resources, "requests").fields());
        limits.fields().forEach(requests::putIfAbsent);
        return Trees.with(
                container,
                "resources",
                Trees.with(resources, "requests", new Value.Mapping(Position.NOWHERE, requests)));
    }
}
