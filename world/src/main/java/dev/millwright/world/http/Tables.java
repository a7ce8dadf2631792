package dev.millwright.world.http;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.kind.Kind;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Objects as rows to print. A client could print them itself, but for their ages: it does not know
/// what time it is in the world.
final class Tables {

    /// A column and what it says of an object.
    private record Column(
            String name, String type, int priority, Function<Value.Mapping, String> cell) {}

    private static final String NONE = "<none>";

    private final InstantSource clock;

    Tables(InstantSource clock) {
        this.clock = clock;
    }

    Value.Mapping table(Kind kind, List<Value.Mapping> objects) {
        var columns = columns(kind);
        var definitions = new ArrayList<Value>();
        for (var column : columns) {
            definitions.add(
                    Tree.of("name", column.name())
                            .put("type", column.type())
                            .put("format", column.name().equals("Name") ? "name" : "")
                            .put("description", "")
                            .put("priority", column.priority())
                            .mapping());
        }
        var rows = new ArrayList<Value>();
        for (var object : objects) {
            var cells = columns.stream().map(column -> column.cell().apply(object)).toList();
            var metadata = Tree.of().put("metadata", Trees.mapping(object, "metadata"));
            rows.add(
                    Tree.of()
                            .putTextList("cells", cells)
                            .put(
                                    "object",
                                    metadata.put("kind", "PartialObjectMetadata")
                                            .put("apiVersion", "meta.k8s.io/v1"))
                            .mapping());
        }
        return Tree.of("kind", "Table")
                .put("apiVersion", "meta.k8s.io/v1")
                .put("metadata", metadata(objects))
                .putList("columnDefinitions", definitions)
                .putList("rows", rows)
                .mapping();
    }

    private static Tree metadata(List<Value.Mapping> objects) {
        return objects.size() == 1
                ? Tree.of("resourceVersion", Trees.meta(objects.getFirst(), "resourceVersion"))
                : Tree.of();
    }

    private List<Column> columns(Kind kind) {
        var columns = new ArrayList<Column>();
        columns.add(new Column("Name", "string", 0, object -> Trees.meta(object, "name")));
        if (kind.isCustom()) {
            for (var stated : kind.columns()) {
                columns.add(stated(stated));
            }
            if (kind.columns().isEmpty()) {
                columns.add(age());
            }
            return columns;
        }
        switch (kind.type().kind()) {
            case "Pod" -> pods(columns);
            case "Node" -> nodes(columns);
            case "Event" -> {
                columns.clear();
                columns.add(date("Last Seen", ".lastTimestamp"));
                columns.add(at("Type", "type"));
                columns.add(at("Reason", "reason"));
                columns.add(text("Object", Cells::subject));
                columns.add(at("Message", "message"));
            }
            default -> {
                workloads(kind.type().kind(), columns);
                columns.add(age());
            }
        }
        return columns;
    }

    private void pods(List<Column> columns) {
        columns.add(text("Ready", Cells::podReady));
        columns.add(text("Status", Cells::podStatus));
        columns.add(text("Restarts", Cells::podRestarts));
        columns.add(age());
        columns.add(wide("IP", "status", "podIP"));
        columns.add(wide("Node", "spec", "nodeName"));
    }

    private void nodes(List<Column> columns) {
        columns.add(text("Status", Cells::nodeStatus));
        columns.add(text("Roles", _ -> NONE));
        columns.add(age());
        columns.add(at("Version", "status", "nodeInfo", "kubeletVersion"));
        columns.add(
                wide("Instance-Type", "metadata", "labels", "node.kubernetes.io/instance-type"));
        columns.add(wide("Capacity", "metadata", "labels", "karpenter.sh/capacity-type"));
        columns.add(wide("Zone", "metadata", "labels", "topology.kubernetes.io/zone"));
    }

    /// What stands between the name and the age.
    private static void workloads(String kind, List<Column> columns) {
        switch (kind) {
            case "Deployment" -> {
                columns.add(text("Ready", Cells::readyOfWanted));
                columns.add(count("Up-to-date", "status", "updatedReplicas"));
                columns.add(count("Available", "status", "availableReplicas"));
            }
            case "ReplicaSet", "ReplicationController" -> {
                columns.add(count("Desired", "spec", "replicas"));
                columns.add(count("Current", "status", "replicas"));
                columns.add(count("Ready", "status", "readyReplicas"));
            }
            case "StatefulSet" -> {
                columns.add(text("Ready", Cells::readyOfWanted));
            }
            case "DaemonSet" -> {
                columns.add(count("Desired", "status", "desiredNumberScheduled"));
                columns.add(count("Current", "status", "currentNumberScheduled"));
                columns.add(count("Ready", "status", "numberReady"));
            }
            case "Job" -> {
                columns.add(text("Completions", Cells::completions));
            }
            case "PodDisruptionBudget" -> {
                columns.add(at("Min available", "spec", "minAvailable"));
                columns.add(at("Max unavailable", "spec", "maxUnavailable"));
                columns.add(count("Allowed disruptions", "status", "disruptionsAllowed"));
            }
            case "PersistentVolumeClaim" -> {
                columns.add(at("Status", "status", "phase"));
                columns.add(at("Volume", "spec", "volumeName"));
                columns.add(at("StorageClass", "spec", "storageClassName"));
            }
            case "Namespace", "PersistentVolume" -> {
                columns.add(at("Status", "status", "phase"));
            }
            case "Lease" -> {
                columns.add(at("Holder", "spec", "holderIdentity"));
            }
            default -> {}
        }
    }

    private static Column text(String name, Function<Value.Mapping, String> cell) {
        return new Column(name, "string", 0, cell);
    }

    private static Column at(String name, String... path) {
        return text(name, object -> shown(Trees.at(object, path), NONE));
    }

    private static Column wide(String name, String... path) {
        return new Column(name, "string", 1, object -> shown(Trees.at(object, path), NONE));
    }

    private static Column count(String name, String... path) {
        return text(name, object -> shown(Trees.at(object, path), "0"));
    }

    private Column age() {
        return date("Age", ".metadata.creationTimestamp");
    }

    private Column date(String name, String path) {
        return text(
                name, object -> Age.of(shown(PrinterPath.find(object, path), ""), clock.instant()));
    }

    private Column stated(Kind.Column column) {
        return column.type().equals("date")
                ? new Column(
                        column.name(),
                        "string",
                        column.priority(),
                        object ->
                                Age.of(
                                        shown(PrinterPath.find(object, column.path()), ""),
                                        clock.instant()))
                : new Column(
                        column.name(),
                        "string",
                        column.priority(),
                        object -> shown(PrinterPath.find(object, column.path()), ""));
    }

    private static String shown(@Nullable Value value, String otherwise) {
        return switch (value) {
            case Value.Text(_, var text) -> text;
            case Value.Numeral(_, var text) -> text;
            case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
            case null, default -> otherwise;
        };
    }
}
