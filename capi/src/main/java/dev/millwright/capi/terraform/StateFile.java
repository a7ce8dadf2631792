package dev.millwright.capi.terraform;

import dev.millwright.capi.workspace.RunOutcome.Output;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A state as Terraform writes it, as far as we look into it.
///
/// @param bytes as they were read, so that nothing is lost when they are written again
record StateFile(byte[] bytes, long serial, boolean isEmpty, SequencedMap<String, Output> outputs) {

    static final StateFile NONE =
            new StateFile(new byte[0], -1, true, Collections.emptySortedMap());

    /// Null when the bytes are not a whole state: they were being written when they were read.
    static @Nullable StateFile of(byte[] bytes) {
        if (bytes.length == 0) {
            return NONE;
        }
        try {
            return of(bytes, Field.root("state", JsonReader.object(bytes), new Faults()));
        } catch (IOException torn) {
            return null;
        }
    }

    private static StateFile of(byte[] bytes, Field state) {
        var serial = state.at("serial").whole(0, Long.MAX_VALUE);
        var outputs = new TreeMap<String, Output>();
        for (var entry : state.at("outputs").entries().entrySet()) {
            var value = entry.getValue().at("value").value();
            outputs.put(
                    entry.getKey(),
                    new Output(
                            value == null ? Tree.text("") : value,
                            entry.getValue().at("sensitive").isTrue()));
        }
        return new StateFile(
                bytes,
                serial == null ? 0 : serial,
                outputs.isEmpty() && state.at("resources").elements().isEmpty(),
                outputs);
    }
}
