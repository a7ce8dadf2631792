package dev.millwright.capi.terraform;

import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Instant;

/// A note beside the folder that the state is being changed, written before the lock is taken.
///
/// @param place null where Terraform keeps the state itself
/// @param lock the lock's id, empty where Terraform takes it
record Unfinished(@Nullable StatePlace place, String lock, Instant since) {

    /// Null when there is none, or none that can be read: then it was never finished, and the lock
    /// never taken.
    static @Nullable Unfinished read(RunFolder folder) throws IOException {
        var bytes = folder.unfinished();
        if (bytes.length == 0) {
            return null;
        }
        try {
            var field = Field.root("note", JsonReader.object(bytes), new Faults());
            var since = field.at("since").instant();
            var place = field.at("place");
            return new Unfinished(
                    place.isPresent()
                            ? new StatePlace(
                                    place.at("namespace").text(""),
                                    place.at("workspace").text(""),
                                    place.at("suffix").text(""))
                            : null,
                    field.at("lock").text(""),
                    since == null ? Instant.EPOCH : since);
        } catch (IOException torn) {
            return null;
        }
    }

    void write(RunFolder folder) throws IOException {
        var tree = Tree.of("lock", lock).put("since", since.toString());
        if (place != null) {
            tree.put(
                    "place",
                    Tree.of("namespace", place.namespace())
                            .put("workspace", place.workspace())
                            .put("suffix", place.suffix()));
        }
        folder.noteUnfinished(JsonWriter.bytes(tree.mapping()));
    }
}
