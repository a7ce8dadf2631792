package dev.millwright.testing.e2e.capi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Base64;
import java.util.function.Predicate;

/// Workspaces on a control plane: made, changed and waited for.
final class Workspaces {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final ControlPlane plane;
    private final KubeApi api;

    Workspaces(ControlPlane plane, KubeApi api) {
        this.plane = plane;
        this.api = api;
    }

    /// A Workspace of the group that CAPT uses.
    ///
    /// @param module in HCL
    /// @param spec more of its fields
    /// @param forProvider more of the fields under forProvider
    Workspaces make(String name, String module, String spec, String forProvider) {
        plane.apply(yaml("tf.upbound.io", "name: " + name, module, spec, forProvider));
        return this;
    }

    static String yaml(
            String group, String metadata, String module, String spec, String forProvider) {
        return """
               apiVersion: %s/v1beta1
               kind: Workspace
               metadata:
               %s
               spec:
               %s
                 forProvider:
                   source: Inline
               %s
                   module: |
               %s
               """
                .formatted(
                        group,
                        metadata.indent(2).stripTrailing(),
                        spec.isEmpty()
                                ? "  deletionPolicy: Delete"
                                : spec.indent(2).stripTrailing(),
                        forProvider.indent(4).stripTrailing(),
                        module.indent(6));
    }

    @Nullable RawObject find(ResourceType type, ObjectName name) {
        return api.read(type, name) instanceof ApiAnswer.Done(var object)
                ? RawObject.of(object)
                : null;
    }

    @Nullable RawObject find(String name) {
        return find(CaptTypes.WORKSPACE.type(), new ObjectName("", name));
    }

    RawObject see(String what, String name, Predicate<RawObject> isRight) {
        var seen =
                Eventually.see(
                        "Workspace %s %s".formatted(name, what),
                        LIMIT,
                        () -> find(name),
                        found -> found != null && isRight.test(found));
        if (seen == null) {
            throw new AssertionError(name);
        }
        return seen;
    }

    RawObject ready(String name) {
        return see(
                "is ready",
                name,
                workspace ->
                        workspace.conditions().isTrue("Ready")
                                && workspace.conditions().isTrue("Synced"));
    }

    /// The message of the failure.
    String failing(String name) {
        return message(see("fails", name, found -> found.conditions().isFalse("Synced")));
    }

    static String message(RawObject workspace) {
        var synced = workspace.conditions().find("Synced");
        return synced == null ? "" : synced.message();
    }

    static boolean isReason(RawObject workspace, String type, String reason) {
        Condition condition = workspace.conditions().find(type);
        return condition != null && condition.reason().equals(reason);
    }

    static String output(RawObject workspace, String name) {
        return workspace.status().at("atProvider").at("outputs").at(name).text("");
    }

    void delete(String name) {
        plane.kubectl("delete", "workspaces.tf.upbound.io", name, "--wait=false");
    }

    void gone(String name) {
        Eventually.see(
                "Workspace %s is gone".formatted(name),
                LIMIT,
                () -> find(name),
                found -> found == null);
    }

    @Nullable RawObject secret(String namespace, String name) {
        return find(ResourceType.SECRET, new ObjectName(namespace, name));
    }

    static String value(@Nullable RawObject secret, String key) {
        return secret == null
                ? ""
                : new String(
                        Base64.getDecoder().decode(secret.root().at("data").at(key).text("")),
                        UTF_8);
    }
}
