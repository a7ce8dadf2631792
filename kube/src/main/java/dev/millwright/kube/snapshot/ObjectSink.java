package dev.millwright.kube.snapshot;

import dev.millwright.kube.document.DocumentSink;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.translation.ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Tells what the pieces of one file are: objects, lists of them, or a problem.
final class ObjectSink implements DocumentSink {

    private static final Set<String> STREAMED = Set.of("items", "pods", "instanceTypes");
    private static final String LIST = "List";
    private static final int FORMAT = 1;

    /// Pools and claims of before v1beta1: left out, they would leave a cluster without pools.
    private static final Map<String, String> SUCCESSORS =
            Map.of(
                    "karpenter.sh/v1alpha5 Provisioner", "NodePool",
                    "karpenter.sh/v1alpha5 Machine", "NodeClaim");

    private final String file;
    private final SnapshotCollection collection;
    private final Faults faults;

    /// Items without a kind of their own: the API's typed lists name it once, below them.
    private final List<Value> unnamed = new ArrayList<>();

    private boolean isEmpty = true;

    /// A server has dropped what it does not know, and may know more than our table.
    private boolean isFromServer;

    private int podCount;
    private int typeCount;

    ObjectSink(String file, SnapshotCollection collection, Faults faults) {
        this.file = file;
        this.collection = collection;
        this.faults = faults;
    }

    @Override
    public boolean isStreamed(String field) {
        return STREAMED.contains(field);
    }

    @Override
    public void element(String field, Value element) {
        switch (field) {
            case "pods" -> collection.addProblemPod(element, podCount++);
            case "instanceTypes" -> collection.addType(element, typeCount++);
            default -> {
                if (element instanceof Value.Mapping mapping && word(mapping, "kind") == null) {
                    unnamed.add(element);
                } else {
                    object(element, "", "");
                }
            }
        }
    }

    @Override
    public void document(Value document) {
        isEmpty = false;
        switch (document) {
            case Value.Mapping mapping -> document(mapping);
            case Value.Sequence(_, var elements) ->
                    elements.forEach(element -> object(element, "", ""));
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ ->
                    fault(
                            document.position(),
                            "found %s; wanted Kubernetes objects or a problem file"
                                    .formatted(document.describe()));
        }
    }

    /// Objects as an API server lists them, whose kind its list names.
    void listed(List<Value.Mapping> objects, String apiVersion, String kind) {
        isEmpty = false;
        isFromServer = true;
        objects.forEach(object -> object(object, apiVersion, kind));
    }

    /// An empty file is rather one whose making failed.
    void end() {
        if (isEmpty) {
            fault(Position.of(file), "holds nothing; wanted Kubernetes objects or a problem file");
        }
    }

    private void document(Value.Mapping document) {
        var top = Field.root("", document, faults);
        if (top.at("options").isPresent()) {
            collection.addOptions(top.at("options").named("options"));
        }
        var kind = word(document, "kind");
        if (top.at("format").isPresent()) {
            problem(top);
        } else if (podCount > 0) {
            fault(
                    document.position(),
                    "pods stand at the top, but format is missing; wanted format: 1");
        } else if (kind == null && unnamed.isEmpty() && typeCount == 0 && !isCatalogue(top)) {
            top.at("kind").missing("a kind such as NodePool or List");
        } else if (kind != null && !kind.endsWith(LIST)) {
            object(document, "", "");
        } else {
            items(document, kind == null ? LIST : kind);
        }
        podCount = 0;
        typeCount = 0;
    }

    private static boolean isCatalogue(Field top) {
        return top.at("options").isPresent() || top.at("instanceTypes").isPresent();
    }

    private void problem(Field top) {
        var format = top.at("format").whole(0, Long.MAX_VALUE);
        if (format != null && format != FORMAT) {
            top.at("format").fault("found %d; wanted 1, the only one there is".formatted(format));
        }
        collection.name = top.at("name").text(baseName(file));
        collection.addProblemPool(top);
    }

    /// The rest of a list at the top: its items were given before, those without a kind are kept.
    private void items(Value.Mapping list, String kind) {
        var apiVersion = word(list, "apiVersion");
        var elementKind = kind.substring(0, kind.length() - LIST.length());
        unnamed.forEach(item -> object(item, apiVersion == null ? "" : apiVersion, elementKind));
        unnamed.clear();
        if (collection.name == null
                && list.fields().get("metadata") instanceof Value.Mapping meta) {
            collection.name = word(meta, "name");
        }
        Field.root(kind, list, faults).at("items").elements(); // Tells of one that is no list.
    }

    private void object(Value value, String listApiVersion, String listKind) {
        if (!(value instanceof Value.Mapping mapping)) {
            fault(
                    value.position(),
                    "found %s; wanted a Kubernetes object".formatted(value.describe()));
            return;
        }
        var kind = orElse(word(mapping, "kind"), listKind);
        var apiVersion = orElse(word(mapping, "apiVersion"), listApiVersion);
        if (kind.isEmpty()) {
            Field.root("", value, faults).at("kind").missing("a kind such as NodePool");
        } else if (kind.endsWith(LIST) && mapping.fields().containsKey("items")) {
            nested(mapping, apiVersion, kind);
        } else if (apiVersion.isEmpty()) {
            Field.root(label(kind, mapping), value, faults)
                    .at("apiVersion")
                    .missing("a version such as v1 or karpenter.sh/v1");
        } else {
            known(mapping, apiVersion, kind);
        }
    }

    private void nested(Value.Mapping list, String apiVersion, String kind) {
        var elementKind = kind.substring(0, kind.length() - LIST.length());
        if (list.fields().get("items") instanceof Value.Sequence(_, var elements)) {
            elements.forEach(element -> object(element, apiVersion, elementKind));
        } else {
            Field.root(kind, list, faults).at("items").elements(); // Tells of one that is no list.
        }
    }

    private void known(Value.Mapping object, String apiVersion, String kindText) {
        var kind = ObjectKind.of(apiVersion, kindText);
        var successor = SUCCESSORS.get(apiVersion + " " + kindText);
        if (kind == null && successor != null) {
            Field.root(label(kindText, object), object, faults)
                    .at("apiVersion")
                    .fault(
                            "found \"%s\"; wanted a %s of karpenter.sh/v1; `millwright migrate -f FILE` makes it one"
                                    .formatted(Shortened.of(apiVersion), successor));
            return;
        }
        if (kind == null) {
            collection.ignore(Shortened.of(kindText));
            return;
        }
        var label = label(kind.text(), object, kind.isNamespaced());
        var field = Field.root(label, object, faults);
        var version = kind.onlyVersion();
        if (version != null && !version.equals(apiVersion)) {
            field.at("apiVersion")
                    .fault(
                            "found \"%s\"; wanted %s; `millwright migrate -f FILE` makes it that, and kubectl shows that once the cluster's Karpenter is 1.0 or newer"
                                    .formatted(Shortened.of(apiVersion), version));
            return;
        }
        if (!isFromServer) {
            collection.unknownFields.check(field, kind.text());
        }
        collection.add(kind, field);
    }

    private static String label(String kind, Value.Mapping object) {
        return label(kind, object, false);
    }

    /// What messages call the object: `Pod shop/web-1`, `NodePool default`.
    private static String label(String kind, Value.Mapping object, boolean isNamespaced) {
        if (!(object.fields().get("metadata") instanceof Value.Mapping meta)) {
            return Shortened.of(kind);
        }
        var name = orElse(word(meta, "name"), "");
        var namespace = orElse(word(meta, "namespace"), ObjectMeta.NAMESPACE_DEFAULT);
        var whole = isNamespaced ? namespace + "/" + name : name;
        return Shortened.of(name.isEmpty() ? kind : kind + " " + whole);
    }

    private static @Nullable String word(Value.Mapping mapping, String field) {
        return mapping.fields().get(field) instanceof Value.Text(_, var text) && !text.isEmpty()
                ? text
                : null;
    }

    private static String orElse(@Nullable String text, String fallback) {
        return text == null ? fallback : text;
    }

    private void fault(Position position, String problem) {
        faults.add(Fault.ofText(position, problem));
    }

    static String baseName(String file) {
        if (file.equals("-")) {
            return "stdin";
        }
        var name = file.substring(file.lastIndexOf('/') + 1);
        for (var suffix : List.of(".gz", ".json", ".yaml", ".yml")) {
            name =
                    name.endsWith(suffix)
                            ? name.substring(0, name.length() - suffix.length())
                            : name;
        }
        return name;
    }
}
