package dev.millwright.kube.object;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

/// Who an object belongs to, with all that must survive when the list is written again.
public record OwnerReference(
        String apiVersion,
        String kind,
        String name,
        String uid,
        boolean isController,
        boolean blocksOwnerDeletion) {

    static OwnerReference of(Field field) {
        return new OwnerReference(
                field.at("apiVersion").text(""),
                field.at("kind").text(""),
                field.at("name").text(""),
                field.at("uid").text(""),
                field.at("controller").isTrue(),
                field.at("blockOwnerDeletion").isTrue());
    }

    public Value.Mapping value() {
        var tree =
                Tree.of("apiVersion", apiVersion)
                        .put("kind", kind)
                        .put("name", name)
                        .put("uid", uid);
        if (isController) {
            tree.put("controller", true);
        }
        if (blocksOwnerDeletion) {
            tree.put("blockOwnerDeletion", true);
        }
        return tree.mapping();
    }
}
