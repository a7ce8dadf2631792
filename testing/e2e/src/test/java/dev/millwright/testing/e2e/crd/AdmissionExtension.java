package dev.millwright.testing.e2e.crd;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Hands tests an API server that has the definitions of all providers and nothing that acts on
/// objects, the same one to all tests of this package.
final class AdmissionExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(AdmissionExtension.class);

    private record Server(ControlPlane controlPlane, KubernetesClient client)
            implements AutoCloseable {

        static Server start() {
            var controlPlane = ControlPlane.start(ControlPlane.Options.apiOnly());
            controlPlane.apply(CustomResources.core().withKwok().withAws().text());
            var config = Config.fromKubeconfig(controlPlane.kubeconfig().toFile());
            var client = new KubernetesClientBuilder().withConfig(config).build();
            var admission = new Admission(client);
            Eventually.see(
                    "every kind is served",
                    () -> Sample.ofEveryKind().stream().filter(admission::isServed).toList(),
                    Sample.ofEveryKind()::equals);
            return new Server(controlPlane, client);
        }

        @Override
        public void close() {
            client.close();
            controlPlane.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Admission.class;
    }

    @Override
    public Admission resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root's store closes what is in it.
        var server =
                context.getRoot()
                        .getStore(NAMESPACE)
                        .computeIfAbsent(Server.class, _ -> Server.start(), Server.class);
        return new Admission(server.client());
    }
}
