package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.field.FieldTable;
import dev.millwright.kube.field.NearName;
import dev.millwright.kube.field.UnknownFields;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Collects the notes of one conversion.
final class Notebook {

    /// More would not be read.
    private static final int NOTES_MAX = 10_000;

    private final List<Note> notes = new ArrayList<>();

    void injected(Field at, String became, String advice) {
        add(Note.Kind.INJECTED, at, became, advice);
    }

    /// At a path that no field has yet.
    void injected(Field object, String path, String became, String advice) {
        add(new Note(Note.Kind.INJECTED, object.object(), path, "", became, advice));
    }

    void changed(Field at, String became, String advice) {
        add(Note.Kind.CHANGED, at, became, advice);
    }

    void dropped(Field at, String advice) {
        add(Note.Kind.DROPPED, at, "", advice);
    }

    void check(Field at, String became, String advice) {
        add(Note.Kind.CHECK, at, became, advice);
    }

    void add(Note note) {
        if (notes.size() < NOTES_MAX) {
            notes.add(note);
        }
    }

    private void add(Note.Kind kind, Field at, String became, String advice) {
        add(new Note(kind, at.object(), at.path(), found(at), became, advice));
    }

    static String found(Field at) {
        var value = at.value();
        return value == null ? "" : Shortened.of(JsonWriter.text(value));
    }

    /// Fields that the old API did not have, or that we do not know of, are not carried on.
    void dropUnknown(Field mapping, Set<String> known) {
        mapping.entries()
                .forEach(
                        (name, field) -> {
                            if (!known.contains(name)) {
                                dropped(
                                        field,
                                        "the old API has no such field; "
                                                + NearName.advice(name, new TreeSet<>(known)));
                            }
                        });
    }

    /// Fields of an object that is carried on as it is, and that no API server would keep.
    void checkUnknown(Field object, String kind) {
        var unknown = new UnknownFields(FieldTable.ofApi());
        unknown.check(object, kind);
        unknown.found()
                .forEach(
                        each ->
                                check(
                                        each.field(),
                                        "",
                                        "no API has such a field; " + each.advice()));
    }

    /// How much was said so far.
    int mark() {
        return notes.size();
    }

    /// Takes back what was said since: of an object that is not converted after all.
    void forgetFrom(int mark) {
        notes.subList(mark, notes.size()).clear();
    }

    List<Note> notes() {
        return List.copyOf(notes);
    }
}
