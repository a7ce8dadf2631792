package dev.millwright.kube.document;

/// One thing wrong with a document: where, in which object, in which field, and what to mend.
/// Object and field are empty where the text itself cannot be read.
public record Fault(Position position, String object, String field, String problem) {

    public static Fault ofText(Position position, String problem) {
        return new Fault(position, "", "", problem);
    }

    @Override
    public String toString() {
        var text = new StringBuilder(position.toString());
        if (!object.isEmpty()) {
            text.append(": ").append(object);
        }
        if (!field.isEmpty()) {
            text.append(": ").append(field);
        }
        return text.append(": ").append(problem).toString();
    }
}
