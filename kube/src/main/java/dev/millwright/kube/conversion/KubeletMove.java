package dev.millwright.kube.conversion;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Puts the kubelet's settings, which pools had, into the classes they name. Pools that share a
/// class and want other settings get a copy of it.
final class KubeletMove {

    private final Notebook notes;

    /// Classes as they are after the move, by name.
    private final SequencedMap<String, Value.Mapping> classes = new LinkedHashMap<>();

    /// Copies, behind the name of the class they were made of.
    private final SequencedMap<String, List<Value.Mapping>> copies = new LinkedHashMap<>();

    /// What the pools seen so far want of a class; empty when they want nothing.
    private final SequencedMap<String, String> wanted = new LinkedHashMap<>();

    KubeletMove(Notebook notes) {
        this.notes = notes;
    }

    List<Turned> applied(List<Turned> all) {
        all.forEach(
                turned ->
                        turned.after().stream()
                                .filter(KubeletMove::isClass)
                                .forEach(each -> classes.put(name(each), each)));
        // Pools without settings come first: the class stays as it is for them.
        all.forEach(turned -> turned.after().forEach(this::claimPlain));
        var pools = all.stream().map(this::moved).toList();
        return pools.stream().map(this::withClasses).toList();
    }

    private void claimPlain(Value.Mapping object) {
        if (isPool(object) && Kubelets.kept(object) == null) {
            wanted.putIfAbsent(className(object), "");
        }
    }

    private Turned moved(Turned turned) {
        var after = turned.after().stream().map(object -> moved(turned, object)).toList();
        return new Turned(turned.origin(), turned.before(), after);
    }

    private Value.Mapping moved(Turned turned, Value.Mapping object) {
        var kubelet = isPool(object) ? Kubelets.kept(object) : null;
        if (kubelet == null) {
            return object;
        }
        var className = className(object);
        var nodeClass = classes.get(className);
        var text = JsonWriter.text(kubelet);
        if (nodeClass == null) {
            say(
                    turned,
                    Note.Kind.CHECK,
                    text,
                    "annotation " + OldKeys.KUBELET,
                    "nobody reads it there: EC2NodeClass %s is not among the documents, so put it into its spec.kubelet"
                            .formatted(className));
            return object;
        }
        var plain = Nested.withoutAnnotation(object, OldKeys.KUBELET);
        var said = wanted.putIfAbsent(className, text);
        if ((said == null || said.equals(text)) && agrees(nodeClass, text)) {
            classes.put(className, Nested.with(nodeClass, kubelet, "spec", "kubelet"));
            say(turned, Note.Kind.CHANGED, text, "spec.kubelet of EC2NodeClass " + className, "");
            return plain;
        }
        return copied(turned, plain, className, kubelet);
    }

    private static boolean agrees(Value.Mapping nodeClass, String text) {
        var own = Nested.find(nodeClass, "spec", "kubelet");
        return own == null || JsonWriter.text(own).equals(text);
    }

    private Value.Mapping copied(
            Turned turned, Value.Mapping pool, String className, Value.Mapping kubelet) {
        var name = className + "-" + name(pool);
        var source = classes.get(className);
        if (source == null) {
            throw new IllegalStateException("class %s was found before".formatted(className));
        }
        var copy =
                Nested.with(
                        Nested.with(source, name, "metadata", "name"), kubelet, "spec", "kubelet");
        copies.computeIfAbsent(className, _ -> new ArrayList<>()).add(copy);
        say(
                turned,
                Note.Kind.CHANGED,
                JsonWriter.text(kubelet),
                "spec.kubelet of a new EC2NodeClass " + name,
                "other pools of EC2NodeClass %s want other settings, or none".formatted(className));
        return Nested.with(pool, name, "spec", "template", "spec", "nodeClassRef", "name");
    }

    private Turned withClasses(Turned turned) {
        var after = new ArrayList<Value.Mapping>();
        for (var object : turned.after()) {
            if (isClass(object)) {
                after.add(classes.getOrDefault(name(object), object));
                after.addAll(copies.getOrDefault(name(object), List.of()));
            } else {
                after.add(object);
            }
        }
        return new Turned(turned.origin(), turned.before(), after);
    }

    private void say(Turned turned, Note.Kind kind, String found, String became, String advice) {
        notes.add(new Note(kind, turned.origin(), "kubelet", Shortened.of(found), became, advice));
    }

    private static boolean isPool(Value.Mapping object) {
        return OldKeys.CURRENT.equals(object.text("apiVersion"))
                && "NodePool".equals(object.text("kind"));
    }

    private static boolean isClass(Value.Mapping object) {
        return OldKeys.AWS_CURRENT.equals(object.text("apiVersion"))
                && "EC2NodeClass".equals(object.text("kind"));
    }

    private static String className(Value.Mapping pool) {
        return orEmpty(Nested.text(pool, "spec", "template", "spec", "nodeClassRef", "name"));
    }

    private static String name(Value.Mapping object) {
        return orEmpty(Nested.text(object, "metadata", "name"));
    }

    private static String orEmpty(@Nullable String text) {
        return ClassReferences.orEmpty(text);
    }
}
