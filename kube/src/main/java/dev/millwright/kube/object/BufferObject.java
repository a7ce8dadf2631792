package dev.millwright.kube.object;

import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A CapacityBuffer. Exactly one of `podTemplate` and `scalable` is there in a sound one.
public record BufferObject(
        Meta meta,
        String provisioningStrategy,
        @Nullable String podTemplate,
        @Nullable Scalable scalable,
        @Nullable Integer replicas,
        @Nullable Integer percentage,
        Resources limits,
        Status status)
        implements KubeObject {

    public static final String READY_FOR_PROVISIONING = "ReadyForProvisioning";
    public static final String PROVISIONING = "Provisioning";

    public record Scalable(String apiGroup, String kind, String name) {}

    public record Status(
            @Nullable String podTemplate,
            @Nullable Long podTemplateGeneration,
            @Nullable Integer replicas,
            @Nullable String provisioningStrategy,
            List<Condition> conditions) {
        public Status {
            conditions = List.copyOf(conditions);
        }
    }
}
