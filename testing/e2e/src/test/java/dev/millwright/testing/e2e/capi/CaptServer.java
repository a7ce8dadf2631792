package dev.millwright.testing.e2e.capi;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Tools;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Map;

/// An API server with all definitions and the objects of `examples/capt`, on which nothing acts.
record CaptServer(ControlPlane plane, KubernetesClient client) implements AutoCloseable {

    /// Hands the same one to all tests that take it.
    static final class Extension implements ParameterResolver {
        private static final Namespace NAMESPACE = Namespace.create(CaptServer.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == CaptServer.class;
        }

        @Override
        public CaptServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
            // The root's store closes what is in it.
            return context.getRoot()
                    .getStore(NAMESPACE)
                    .computeIfAbsent(CaptServer.class, _ -> start(), CaptServer.class);
        }
    }

    private static CaptServer start() {
        var plane = ControlPlane.start(ControlPlane.Options.apiOnly());
        CaptDefinitions.install(plane);
        var examples = examples();
        plane.dryRun(examples); // It refuses fields that no definition has.
        plane.apply(examples);
        var config = Config.fromKubeconfig(plane.kubeconfig().toFile());
        return new CaptServer(plane, new KubernetesClientBuilder().withConfig(config).build());
    }

    private static String examples() {
        try (var files = Files.list(Tools.ROOT.resolve("examples/capt"))) {
            var texts = new ArrayList<String>();
            for (var file : files.sorted().toList()) {
                texts.add(Files.readString(file));
            }
            return String.join("---\n", texts);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// An object named `sample` with this spec. A kind of tf.m.upbound.io is written `m/Kind`.
    static String sample(String kind, String spec) {
        return """
        apiVersion: %s
        kind: %s
        metadata: {name: sample%s}
        spec: %s
        """
                .formatted(
                        apiVersion(kind),
                        kind.replace("m/", ""),
                        isClusterWide(kind) ? "" : ", namespace: default",
                        spec);
    }

    private static String apiVersion(String kind) {
        return switch (kind) {
            case "CAPTControlPlane", "CAPTControlPlaneTemplate" ->
                    "controlplane.cluster.x-k8s.io/v1beta1";
            case "Workspace", "ProviderConfig" -> "tf.upbound.io/v1beta1";
            case "m/Workspace", "m/ProviderConfig", "m/ClusterProviderConfig" ->
                    "tf.m.upbound.io/v1beta1";
            default -> "infrastructure.cluster.x-k8s.io/v1beta1";
        };
    }

    private static boolean isClusterWide(String kind) {
        return switch (kind) {
            case "Workspace", "ProviderConfig", "m/ClusterProviderConfig" -> true;
            default -> false;
        };
    }

    String kubectl(String... arguments) {
        return plane.kubectl(arguments);
    }

    /// What `kubectl get` has of `resource/name`.
    Map<String, Object> object(String name) {
        return map(plane.kubectl("get", name, "-o", "json"));
    }

    Map<String, Object> part(String name, String part) {
        return map(plane.kubectl("get", name, "-o", "jsonpath={.%s}".formatted(part)));
    }

    void patchStatus(String name, String status) {
        plane.kubectl(
                "patch",
                name,
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":%s}".formatted(status));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(String json) {
        return Serialization.unmarshal(json, Map.class);
    }

    /// The object as the server would keep it. Without a process of kubectl's for each: there are
    /// many.
    ///
    /// @throws KubernetesClientException with the server's words when it is refused
    HasMetadata dryRun(String yaml) {
        return client.resource(yaml)
                .dryRun()
                .fieldValidation(Validation.STRICT)
                .forceConflicts()
                .serverSideApply();
    }

    @Override
    public void close() {
        client.close();
        plane.close();
    }
}
