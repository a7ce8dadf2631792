package dev.millwright.controllers.capacitybuffer;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.policy.CapacityBuffer.Resolution;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.ScalableObject;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Buffers with what they refer to, found anew each time: there is no second copy of a template
/// that could fall behind.
public final class Buffers {

    /// What a view must keep for buffers to be found.
    public static final List<Kind<? extends KubeObject>> KINDS =
            List.of(
                    Kind.CAPACITY_BUFFER,
                    Kind.POD_TEMPLATE,
                    Kind.DEPLOYMENT,
                    Kind.REPLICA_SET,
                    Kind.STATEFUL_SET);

    private static final String APPS = "apps";

    private Buffers() {}

    /// Those that are not ready included: a pass says so of them.
    public static List<CapacityBuffer> all(View view) {
        return view.cache(Kind.CAPACITY_BUFFER).all().stream()
                .filter(buffer -> !buffer.meta().isDeleting())
                .map(buffer -> of(view, buffer))
                .toList();
    }

    public static CapacityBuffer of(View view, BufferObject buffer) {
        return new CapacityBuffer(
                buffer.name(),
                buffer.meta().uid(),
                buffer.replicas(),
                buffer.percentage(),
                buffer.limits(),
                resolution(view, buffer));
    }

    private static Resolution resolution(View view, BufferObject buffer) {
        var podTemplate = buffer.podTemplate();
        var scalable = buffer.scalable();
        if (podTemplate != null) {
            var name = new ObjectName(buffer.name().namespace(), podTemplate);
            var found = view.cache(Kind.POD_TEMPLATE).find(name);
            return found == null
                    ? new Resolution.PodTemplateNotFound(podTemplate)
                    : new Resolution.Resolved(found.value(), null);
        }
        if (scalable != null) {
            return resolution(view, buffer.name().namespace(), scalable);
        }
        return new Resolution.Failed("neither podTemplateRef nor scalableRef is set; name one");
    }

    private static Resolution resolution(
            View view, String namespace, BufferObject.Scalable reference) {
        var kind = kind(reference);
        if (kind == null) {
            return new Resolution.Failed(
                    "scalableRef %s of group \"%s\" is not supported; wanted Deployment, StatefulSet or ReplicaSet of apps"
                            .formatted(reference.kind(), reference.apiGroup()));
        }
        var found = view.cache(kind).find(new ObjectName(namespace, reference.name()));
        if (found == null) {
            return new Resolution.ScalableNotFound(reference.kind(), reference.name());
        }
        var template = found.template();
        var replicas = found.replicas();
        return template == null
                ? new Resolution.Failed(
                        "the pod template of %s %s cannot be read"
                                .formatted(reference.kind(), reference.name()))
                : new Resolution.Resolved(
                        template, replicas == null ? Integer.valueOf(1) : replicas);
    }

    private static @Nullable Kind<ScalableObject> kind(BufferObject.Scalable reference) {
        if (!reference.apiGroup().isEmpty() && !reference.apiGroup().equals(APPS)) {
            return null;
        }
        return switch (reference.kind()) {
            case "Deployment" -> Kind.DEPLOYMENT;
            case "StatefulSet" -> Kind.STATEFUL_SET;
            case "ReplicaSet" -> Kind.REPLICA_SET;
            default -> null;
        };
    }

    /// The buffers of this namespace that refer to the template.
    static List<ObjectName> ofTemplate(View view, ObjectName template) {
        return view.cache(Kind.CAPACITY_BUFFER).all().stream()
                .filter(buffer -> buffer.name().namespace().equals(template.namespace()))
                .filter(buffer -> template.name().equals(buffer.podTemplate()))
                .map(BufferObject::name)
                .toList();
    }

    /// The buffers of this namespace that refer to the workload.
    static List<ObjectName> ofScalable(View view, Kind<ScalableObject> kind, ObjectName workload) {
        return view.cache(Kind.CAPACITY_BUFFER).all().stream()
                .filter(buffer -> buffer.name().namespace().equals(workload.namespace()))
                .filter(buffer -> refersTo(buffer.scalable(), kind, workload.name()))
                .map(BufferObject::name)
                .toList();
    }

    private static boolean refersTo(
            BufferObject.@Nullable Scalable reference, Kind<ScalableObject> kind, String name) {
        return reference != null && reference.name().equals(name) && kind == kind(reference);
    }
}
