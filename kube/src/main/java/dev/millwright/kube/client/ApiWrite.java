package dev.millwright.kube.client;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

/// A change to the API server, as a value.
public sealed interface ApiWrite {

    ResourceType type();

    /// Makes an object. A name given by `generateName` is the server's to finish.
    record Create(ResourceType type, String namespace, Value.Mapping body) implements ApiWrite {}

    /// Changes an object. A merge patch that must not overwrite another's change names the
    /// `resourceVersion` it was made from in its own `metadata`.
    record Patch(
            ResourceType type, ObjectName name, PatchKind kind, Subresource subresource, Value body)
            implements ApiWrite {}

    /// Deletes an object, only the one with this uid where one is named.
    record Delete(
            ResourceType type, ObjectName name, @Nullable String uid, @Nullable Long graceSeconds)
            implements ApiWrite {}

    /// Asks for a pod's eviction, which budgets may refuse.
    record Evict(ObjectName name, String uid) implements ApiWrite {
        @Override
        public ResourceType type() {
            return ResourceType.POD;
        }
    }

    enum PatchKind {
        MERGE("application/merge-patch+json"),
        STRATEGIC("application/strategic-merge-patch+json"),
        JSON("application/json-patch+json");

        private final String contentType;

        PatchKind(String contentType) {
            this.contentType = contentType;
        }

        public String contentType() {
            return contentType;
        }
    }

    enum Subresource {
        NONE(""),
        STATUS("status");

        private final String path;

        Subresource(String path) {
            this.path = path;
        }

        public String path() {
            return path;
        }
    }
}
