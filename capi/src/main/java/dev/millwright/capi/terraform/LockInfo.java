package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;

import java.io.IOException;

/// Who holds a lock, as Terraform writes it beside one. What we add tells which process it was, so
/// that another can find out whether it still lives.
///
/// @param who user and host
/// @param info Terraform leaves it empty
record LockInfo(
        String id, String operation, String info, String who, String version, String created) {

    static LockInfo of(String json) {
        try {
            var field = Field.root("lock", JsonReader.object(json.getBytes(UTF_8)), new Faults());
            return new LockInfo(
                    field.at("ID").text(""),
                    field.at("Operation").text(""),
                    field.at("Info").text(""),
                    field.at("Who").text(""),
                    field.at("Version").text(""),
                    field.at("Created").text(""));
        } catch (IOException unknown) {
            return new LockInfo("", "", "", "", "", "");
        }
    }

    String json() {
        return JsonWriter.text(
                Tree.of("ID", id)
                        .put("Operation", operation)
                        .put("Info", info)
                        .put("Who", who)
                        .put("Version", version)
                        .put("Created", created)
                        .put("Path", "")
                        .mapping());
    }

    String describe() {
        return "%s since %s (%s, lock %s)"
                .formatted(
                        who.isEmpty() ? "somebody unknown" : who,
                        created.isEmpty() ? "an unknown time" : created,
                        operation.isEmpty() ? "no operation told" : operation,
                        id.isEmpty() ? "without id" : id);
    }
}
