package dev.millwright.testing.e2e.kwok;

import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.providers.sim.KwokCatalogue;
import dev.millwright.providers.sim.kwok.KwokCloud;
import dev.millwright.spi.CloudProvider;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.kit.cloud.CloudFixture;
import dev.millwright.testing.kit.cloud.CloudProviderContract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// The contract of all providers, on an API server that has nothing but storage.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KwokContractIT extends CloudProviderContract {

    private KwokServer server;

    @BeforeAll
    void start() {
        server = KwokServer.start(ControlPlane.Options.apiOnly());
        server.controlPlane()
                .apply(
                        """
                        apiVersion: karpenter.kwok.sh/v1alpha1
                        kind: KWOKNodeClass
                        metadata: {name: not-ready}
                        """);
        server.controlPlane()
                .kubectl(
                        "patch",
                        "kwoknodeclass",
                        "not-ready",
                        "--subresource=status",
                        "--type=merge",
                        "--patch",
                        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\",\"reason\":\"No\",\"message\":\"no\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Override
    protected CloudFixture newCloud() {
        server.controlPlane().kubectl("delete", "nodes", "--all", "--wait=true");
        return new Fixture(server.cloud());
    }

    private record Fixture(KwokCloud cloud) implements CloudFixture {

        @Override
        public CloudProvider provider() {
            return cloud;
        }

        @Override
        public NodeClassRef readyClass() {
            return KwokServer.nodeClass("default");
        }

        @Override
        public NodeClassRef missingClass() {
            return KwokServer.nodeClass("missing");
        }

        @Override
        public NodeClassRef classNotReady() {
            return KwokServer.nodeClass("not-ready");
        }

        @Override
        public String numericLabel() {
            return KwokCatalogue.CPU;
        }

        @Override
        public void settle() {
            try {
                cloud.awaitRegistrations();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while nodes register", interrupted);
            }
        }

        @Override
        public void close() {
            settle();
            cloud.close();
        }
    }
}
