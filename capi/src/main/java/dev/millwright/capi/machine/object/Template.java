package dev.millwright.capi.machine.object;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.translation.LabelTranslation;
import dev.millwright.kube.translation.ObjectMeta;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The `template` of a set or deployment, and the selector that must find what is made of it.
///
/// @param isMatched whether the selector finds machines made of the template; one that finds
///   everything is refused too
public record Template(Value.Mapping value, Selector selector, boolean isMatched) {

    public static Template of(Field spec) {
        var template = spec.at("template");
        var labels = labels(template);
        // CAPT crashes without a selector; the labels of the template are what was meant.
        var read = new LabelTranslation(LabelVocabulary.CORE).selector(spec.at("selector"));
        var selector = read == null || read.isEmpty() ? Selector.ofLabels(labels) : read;
        return new Template(
                Values.mapping(template.value()),
                selector,
                !selector.isEmpty() && selector.matches(labels));
    }

    private static SequencedMap<String, String> labels(Field template) {
        return template.at("metadata").at("labels").texts(ObjectMeta.LABEL_LENGTH_MAX);
    }

    public SequencedMap<String, String> labels() {
        return texts("labels");
    }

    public SequencedMap<String, String> annotations() {
        return texts("annotations");
    }

    private SequencedMap<String, String> texts(String name) {
        var texts = new TreeMap<String, String>();
        metadata(name)
                .forEach(
                        (key, value) -> {
                            if (value instanceof Value.Text(_, var text)) {
                                texts.put(key, text);
                            }
                        });
        return texts;
    }

    private Map<String, Value> metadata(String name) {
        var metadata = Values.mapping(value.fields().get("metadata"));
        return Values.mapping(metadata.fields().get(name)).fields();
    }

    public Value.Mapping spec() {
        return Values.mapping(value.fields().get("spec"));
    }

    /// The same template with one more label, or without it where the text is empty.
    public static Value.Mapping labelled(Value.Mapping template, String key, String text) {
        var metadata = Values.mapping(template.fields().get("metadata"));
        var labels = Values.mapping(metadata.fields().get("labels"));
        var next = Values.with(labels, key, text.isEmpty() ? null : Tree.text(text));
        return Values.with(template, "metadata", Values.with(metadata, "labels", next));
    }
}
