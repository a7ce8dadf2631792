package dev.millwright.cli.plan;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.DocumentSink;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/// Objects that are tried in place of those of the same name in a cluster, or beside them.
public record PolicyFile(String name, List<Value.Mapping> objects) {

    /// What of a cluster says how nodes are bought and taken away.
    private static final List<ResourceType> POLICY =
            List.of(
                    ResourceType.NODE_POOL,
                    ResourceType.NODE_OVERLAY,
                    ResourceType.POD_DISRUPTION_BUDGET);

    private static final String ITEMS = "items";

    /// An object among others.
    private record Identity(String kind, String namespace, String name) {

        private static @Nullable Identity of(Value value) {
            if (!(value instanceof Value.Mapping object)
                    || !(object.fields().get("metadata") instanceof Value.Mapping metadata)) {
                return null;
            }
            var kind = object.text("kind");
            var name = metadata.text("name");
            var namespace = metadata.text("namespace");
            return kind == null || name == null
                    ? null
                    : new Identity(kind, namespace == null ? "" : namespace, name);
        }
    }

    public PolicyFile {
        objects = List.copyOf(objects);
    }

    /// @throws DocumentException when the file holds something that is no policy, or nothing
    public static PolicyFile read(Source source) {
        var objects = new ArrayList<Value.Mapping>();
        for (var value : values(source)) {
            var identity = Identity.of(value);
            if (identity == null
                    || POLICY.stream().noneMatch(type -> type.kind().equals(identity.kind()))) {
                throw new DocumentException(
                        Fault.ofText(
                                value.position(),
                                "found %s; a policy holds NodePools, NodeOverlays and PodDisruptionBudgets with names"
                                        .formatted(
                                                identity == null
                                                        ? value.describe()
                                                        : "a " + identity.kind())));
            }
            objects.add((Value.Mapping) value);
        }
        if (objects.isEmpty()) {
            throw new DocumentException(
                    Fault.ofText(
                            Position.of(source.name()),
                            "holds no object; wanted NodePools, NodeOverlays or PodDisruptionBudgets"));
        }
        return new PolicyFile(source.name(), objects);
    }

    /// All objects of a file, those of its lists one by one.
    private static List<Value> values(Source source) {
        var values = new ArrayList<Value>();
        DocumentReader.read(
                source,
                new DocumentSink() {
                    @Override
                    public boolean isStreamed(String field) {
                        return field.equals(ITEMS);
                    }

                    @Override
                    public void element(String field, Value element) {
                        values.add(element);
                    }

                    @Override
                    public void document(Value document) {
                        if (!(document instanceof Value.Mapping mapping)
                                || !mapping.fields().containsKey(ITEMS)) {
                            values.add(document);
                        }
                    }
                });
        return values;
    }

    /// The cluster with these objects.
    public SequencedMap<ResourceType, List<Value.Mapping>> applied(
            SequencedMap<ResourceType, List<Value.Mapping>> cluster) {
        var ours = identities();
        var all = new LinkedHashMap<ResourceType, List<Value.Mapping>>();
        cluster.forEach(
                (type, objects) -> {
                    var some = new ArrayList<Value.Mapping>();
                    for (var object : objects) {
                        // Lists do not repeat the kind of what they hold.
                        var identity = Identity.of(kinded(object, type));
                        if (identity == null || !ours.contains(identity)) {
                            some.add(object);
                        }
                    }
                    for (var object : this.objects) {
                        if (type.kind().equals(object.text("kind"))) {
                            some.add(object);
                        }
                    }
                    all.put(type, some);
                });
        return all;
    }

    private static Value.Mapping kinded(Value.Mapping object, ResourceType type) {
        if (object.text("kind") != null) {
            return object;
        }
        var fields = new LinkedHashMap<>(object.fields());
        fields.put("kind", new Value.Text(object.position(), type.kind()));
        return new Value.Mapping(object.position(), fields);
    }

    /// The files with these objects. What is no object, such as a catalogue, stays as it is.
    public List<Source> applied(String name, List<Source> files) {
        var ours = identities();
        var sources = new ArrayList<Source>();
        var objects = new ArrayList<Value>();
        for (var file : files) {
            for (var value : values(file)) {
                var identity = Identity.of(value);
                if (identity == null) {
                    sources.add(Source.bytes(file.name(), JsonWriter.bytes(value)));
                } else if (!ours.contains(identity)) {
                    objects.add(value);
                }
            }
        }
        objects.addAll(this.objects);
        var list =
                Tree.of("apiVersion", "v1").put("kind", "List").putList(ITEMS, objects).mapping();
        sources.addFirst(Source.bytes(name, JsonWriter.bytes(list)));
        return sources;
    }

    /// Both together; of two objects of one name the later one counts.
    public PolicyFile and(PolicyFile other) {
        var theirs = other.identities();
        var all = new ArrayList<Value.Mapping>();
        for (var object : objects) {
            var identity = Identity.of(object);
            if (identity == null || !theirs.contains(identity)) {
                all.add(object);
            }
        }
        all.addAll(other.objects);
        return new PolicyFile(name + ", " + other.name, all);
    }

    private Set<Identity> identities() {
        var identities = new HashSet<Identity>();
        for (var object : objects) {
            var identity = Identity.of(object);
            if (identity != null) {
                identities.add(identity);
            }
        }
        return identities;
    }
}
