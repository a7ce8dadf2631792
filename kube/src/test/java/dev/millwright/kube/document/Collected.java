package dev.millwright.kube.document;

import java.util.ArrayList;
import java.util.List;

/// A sink that keeps what it is given.
final class Collected implements DocumentSink {

    final List<Value> elements = new ArrayList<>();
    final List<Value> documents = new ArrayList<>();

    static Collected of(String text) {
        return of(Source.text("file", text));
    }

    static Collected of(Source source) {
        var collected = new Collected();
        DocumentReader.read(source, collected);
        return collected;
    }

    @Override
    public boolean isStreamed(String field) {
        return field.equals("items");
    }

    @Override
    public void element(String field, Value element) {
        elements.add(element);
    }

    @Override
    public void document(Value document) {
        documents.add(document);
    }

    Field field(Faults faults) {
        return Field.root("Thing one", documents.getFirst(), faults);
    }
}
