package dev.millwright.testing.e2e.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.e2e.Component;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.world.chance.Chance;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The suite on a real API server, whose only controllers collect garbage and make accounts.
final class ApiServerIT extends StoreContract {

    private static final ResourceType SERVICE_ACCOUNT =
            new ResourceType("", "v1", "serviceaccounts", "ServiceAccount", true);

    /// Writes of one seed.
    private static final int DEEDS = 150;

    private static ControlPlane controlPlane;
    private static Server server;
    private static HttpKubeApi api;
    private static KubernetesClient raw;

    @BeforeAll
    static void start() {
        controlPlane =
                ControlPlane.start(
                        ControlPlane.Options.of(
                                        Component.ETCD,
                                        Component.API_SERVER,
                                        Component.CONTROLLER_MANAGER)
                                .withControllerManagerFlags(
                                        "--controllers=garbage-collector-controller,serviceaccount-controller"));
        controlPlane.apply(CustomResources.kwok().text());
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()),
                        ApiSettings.of("it", 200, 300),
                        RequestObserver.NONE);
        raw =
                new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(controlPlane.kubeconfig().toFile()))
                        .build();
        server = new Real();
        Eventually.see(
                "node pools are served",
                () -> api.list(ResourceType.NODE_POOL, ListQuery.all(1)),
                answer -> answer instanceof ListAnswer.Page);
        Eventually.see(
                "node classes are served",
                () -> api.list(OnServer.NODE_CLASS, ListQuery.all(1)),
                answer -> answer instanceof ListAnswer.Page);
    }

    @AfterAll
    static void close() {
        raw.close();
        api.close();
        controlPlane.close();
    }

    @Override
    public Server server() {
        return server;
    }

    /// Writes that nobody thought of, to both servers at once.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void seededWritesHaveTheSameOutcomeOnTheStore(long seed) {
        var store = new InProcess();
        var deeds = new Deeds(Chance.of(seed), this);
        var softly = new SoftAssertions();
        for (var i = 0; i < DEEDS; i++) {
            var deed = deeds.next();
            var words = "seed %d, write %d: %s".formatted(seed, i, deed.words());
            softly.assertThat(Outcome.of(deed.act().on(store)))
                    .as(words)
                    .isEqualTo(Outcome.of(deed.act().on(server)));
            softly.assertThat(Outcome.of(store.api().read(deed.type(), deed.name())))
                    .as("after " + words)
                    .isEqualTo(Outcome.of(api.read(deed.type(), deed.name())));
        }
        softly.assertAll();
    }

    private static final class Real implements Server {

        @Override
        public KubeApi api() {
            return api;
        }

        @Override
        public String createNamespace() {
            var name = controlPlane.createNamespace();
            // Pods are refused until their namespace has its account.
            Eventually.see(
                    "the account of " + name,
                    () -> api.read(SERVICE_ACCOUNT, new ObjectName(name, "default")),
                    ApiAnswer::isDone);
            return name;
        }

        @Override
        public ApiAnswer bind(ObjectName pod, String uid, String nodeName) {
            var path =
                    "/api/v1/namespaces/%s/pods/%s/binding".formatted(pod.namespace(), pod.name());
            var metadata = Map.of("name", pod.name(), "namespace", pod.namespace(), "uid", uid);
            var body =
                    Map.of(
                            "apiVersion",
                            "v1",
                            "kind",
                            "Binding",
                            "metadata",
                            metadata,
                            "target",
                            Map.of("apiVersion", "v1", "kind", "Node", "name", nodeName));
            try {
                raw.raw(path, "POST", body);
                return new ApiAnswer.Done(
                        Tree.of("kind", "Status")
                                .put("apiVersion", "v1")
                                .put("metadata", Tree.of())
                                .put("status", "Success")
                                .put("code", 201)
                                .mapping());
            } catch (KubernetesClientException failure) {
                var status = failure.getStatus();
                return new ApiAnswer.Refused(
                        failure.getCode(),
                        status == null ? "" : String.valueOf(status.getReason()),
                        String.valueOf(failure.getMessage()));
            }
        }

        /// A server that starts knows what is stored, not how it came about.
        @Override
        public void forgetHistory(ResourceType type) {
            controlPlane.restartApiServer();
        }

        @Override
        public <T> T eventually(String what, Supplier<T> look, Predicate<? super T> isRight) {
            return Eventually.see(what, look, isRight);
        }
    }
}
