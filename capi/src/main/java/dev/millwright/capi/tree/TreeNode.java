package dev.millwright.capi.tree;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// An object, or a resource of Terraform, and what belongs to it.
///
/// @param role what it is to the one above, e.g. `infrastructure`; empty where its kind says it
/// @param createdAt null for what is not there, and for Terraform's resources
public record TreeNode(
        String role,
        String kind,
        String namespace,
        String name,
        Standing standing,
        @Nullable Instant createdAt,
        List<TreeNode> children) {

    /// The kind of a node that stands for a resource in Terraform's state.
    public static final String RESOURCE = "Resource";

    public TreeNode {
        children = List.copyOf(children);
    }

    public boolean isResource() {
        return kind.equals(RESOURCE);
    }

    /// As kubectl names it; a resource by its address alone.
    public String title() {
        return isResource() ? name : kind + "/" + name;
    }
}
