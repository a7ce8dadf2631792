package dev.millwright.world.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.store.ApiStore;

import java.util.ArrayList;
import java.util.List;

/// The writes of one controller, under its name.
public record Writes(ApiStore store, String by) {

    public ApiAnswer create(ResourceType type, String namespace, Tree body) {
        return store.write(by, new ApiWrite.Create(type, namespace, body.mapping()));
    }

    /// A merge patch.
    public ApiAnswer patch(ResourceType type, ObjectName name, Tree body) {
        return store.write(
                by,
                new ApiWrite.Patch(type, name, PatchKind.MERGE, Subresource.NONE, body.mapping()));
    }

    /// A merge patch of the status, which the caller gives without the word.
    public ApiAnswer status(ResourceType type, ObjectName name, Tree status) {
        return store.write(
                by,
                new ApiWrite.Patch(
                        type,
                        name,
                        PatchKind.MERGE,
                        Subresource.STATUS,
                        Tree.of("status", status).mapping()));
    }

    public ApiAnswer delete(ResourceType type, ObjectName name, String uid) {
        return store.write(by, new ApiWrite.Delete(type, name, uid, null));
    }

    /// The conditions of the object with this one in place of the one of its type. The time of the
    /// change is kept where the status does not change.
    public static List<Value> conditions(Value.Mapping object, Tree condition) {
        var made = condition.mapping();
        var type = Reading.text(made, "type");
        var conditions = new ArrayList<Value>();
        var isPlaced = false;
        for (var old : Reading.list(object, "status", "conditions")) {
            if (Reading.text(old, "type").equals(type)) {
                conditions.add(since(old, made));
                isPlaced = true;
            } else {
                conditions.add(old);
            }
        }
        if (!isPlaced) {
            conditions.add(made);
        }
        return conditions;
    }

    private static Value since(Value old, Value.Mapping made) {
        if (!Reading.text(old, "status").equals(Reading.text(made, "status"))) {
            return made;
        }
        var kept = Tree.of();
        made.fields().forEach(kept::put);
        var at = Reading.at(old, "lastTransitionTime");
        return (at == null ? kept : kept.put("lastTransitionTime", at)).mapping();
    }
}
