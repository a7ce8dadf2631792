package dev.millwright.testing.e2e.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.webhook.ConversionServer;
import dev.millwright.kube.webhook.ConversionUpkeep;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.operator.OperatorProcess;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// A cluster whose objects are stored as v1beta1 becomes one of v1 that serves both.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ConversionIT {

    private static final String BETA_POOL = "nodepools.v1beta1.karpenter.sh";
    private static final String POOL = "nodepools.v1.karpenter.sh";
    private static final int REQUESTS_PER_SECOND = 100;
    private static final long LOOK_MILLIS = 500;

    private ControlPlane plane;
    private HttpKubeApi api;
    private ConversionServer server;
    private Thread upkeep;

    @BeforeAll
    void start() throws IOException {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly());
        plane.apply(OldCluster.resource("beta-crds.yaml"));
        plane.established();
        plane.apply(
                """
                apiVersion: karpenter.sh/v1beta1
                kind: NodePool
                metadata: {name: stored}
                spec:
                  template:
                    spec:
                      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]
                      nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: stored}
                      kubelet: {maxPods: 30}
                  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: 48h}
                ---
                apiVersion: karpenter.sh/v1beta1
                kind: NodeClaim
                metadata: {name: stored-1, labels: {karpenter.sh/nodepool: stored}}
                spec:
                  requirements: []
                  nodeClassRef: {name: stored}
                ---
                apiVersion: karpenter.k8s.aws/v1beta1
                kind: EC2NodeClass
                metadata: {name: stored}
                spec:
                  amiFamily: AL2023
                  role: NodeRole
                  subnetSelectorTerms: [{tags: {a: b}}]
                  securityGroupSelectorTerms: [{tags: {a: b}}]
                """);
        var account = ChartAccount.of(plane, Chart.OPERATOR, "webhook.enabled=true");
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(account.kubeconfig()),
                        ApiSettings.of("test", REQUESTS_PER_SECOND, REQUESTS_PER_SECOND),
                        RequestObserver.NONE);
        server = ConversionServer.open(api, 0);
        var keeping =
                new ConversionUpkeep(
                        api,
                        server,
                        new ConversionUpkeep.Place(
                                new ObjectName("kube-system", "karpenter-cert"),
                                List.of("127.0.0.1"),
                                new ConversionUpkeep.Client.Address(
                                        "https://127.0.0.1:" + server.port())),
                        CustomResources.aws(),
                        InstantSource.system(),
                        System.err::println);
        upkeep = Thread.ofVirtual().start(() -> keeping.run(_ -> Thread.sleep(LOOK_MILLIS)));
        Eventually.see("v1 is served", () -> stored("nodepools.karpenter.sh"), "[\"v1\"]"::equals);
    }

    @AfterAll
    void stop() {
        plane.close();
    }

    private String stored(String definition) {
        return plane.kubectl("get", "crd", definition, "-o=jsonpath={.status.storedVersions}");
    }

    private String look(String resource, String name, String path) {
        return plane.kubectl("get", resource, name, "-o=jsonpath=" + path);
    }

    @Test
    @Order(1)
    void objectsThatWereStoredBeforeAreReadAsV1AndStoredSo() {
        assertThat(look(POOL, "stored", "{.spec.template.spec.expireAfter}")).isEqualTo("48h");
        assertThat(look(POOL, "stored", "{.spec.disruption}"))
                .contains("WhenEmptyOrUnderutilized", "\"consolidateAfter\":\"0s\"");
        assertThat(look(POOL, "stored", "{.spec.template.spec.nodeClassRef.group}"))
                .isEqualTo("karpenter.k8s.aws");
        assertThat(look("nodeclaims.v1.karpenter.sh", "stored-1", "{.spec.expireAfter}"))
                .isEqualTo("48h");
        Eventually.see(
                "classes are stored as v1",
                () -> stored("ec2nodeclasses.karpenter.k8s.aws"),
                "[\"v1\"]"::equals);
        assertThat(
                        look(
                                "ec2nodeclasses.v1.karpenter.k8s.aws",
                                "stored",
                                "{.spec.amiSelectorTerms[0].alias}"))
                .isEqualTo("al2023@latest");
        assertThat(look("ec2nodeclasses.v1beta1.karpenter.k8s.aws", "stored", "{.spec.amiFamily}"))
                .isEqualTo("AL2023");
        assertThat(look(BETA_POOL, "stored", "{.spec.template.spec.kubelet}"))
                .isEqualTo("{\"maxPods\":30}");
    }

    @Test
    @Order(2)
    void eachVersionIsCreatedReadAndChangedByTheOther() {
        plane.apply(
                """
                apiVersion: karpenter.sh/v1beta1
                kind: NodePool
                metadata: {name: both}
                spec:
                  template:
                    spec:
                      requirements: []
                      nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: stored}
                  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 30s}
                """);
        assertThat(look(POOL, "both", "{.spec.disruption.consolidateAfter}")).isEqualTo("30s");
        assertThat(look(POOL, "both", "{.spec.template.spec.expireAfter}")).isEqualTo("720h");

        plane.kubectl("patch", POOL, "both", "--type=merge", "-p", "{\"spec\":{\"weight\":7}}");
        assertThat(look(BETA_POOL, "both", "{.spec.weight}")).isEqualTo("7");
        plane.kubectl(
                "patch",
                BETA_POOL,
                "both",
                "--type=merge",
                "-p",
                "{\"spec\":{\"disruption\":{\"expireAfter\":\"Never\"}}}");
        assertThat(look(POOL, "both", "{.spec.template.spec.expireAfter}")).isEqualTo("Never");
        assertThat(look(POOL, "both", "{.spec.weight}")).isEqualTo("7");
        assertThat(look(BETA_POOL, "both", "{.spec.template.spec.nodeClassRef.apiVersion}"))
                .isEqualTo("karpenter.k8s.aws/v1beta1");
        assertThat(plane.kubectl("get", BETA_POOL, "-o=name").lines()).hasSize(2);
    }

    @Test
    @Order(3)
    void v1beta1HasItsOwnRules() {
        assertThatThrownBy(
                        () ->
                                plane.apply(
                                        """
                                        apiVersion: karpenter.sh/v1beta1
                                        kind: NodePool
                                        metadata: {name: wrong}
                                        spec:
                                          template: {spec: {requirements: [], nodeClassRef: {name: stored}}}
                                          disruption: {consolidationPolicy: WhenUnderutilized, consolidateAfter: 30s}
                                        """))
                .hasMessageContaining("consolidateAfter goes with the policy WhenEmpty only");
        assertThatThrownBy(
                        () ->
                                plane.apply(
                                        """
                                        apiVersion: karpenter.k8s.aws/v1beta1
                                        kind: EC2NodeClass
                                        metadata: {name: wrong}
                                        spec:
                                          amiFamily: Custom
                                          role: r
                                          subnetSelectorTerms: [{tags: {a: b}}]
                                          securityGroupSelectorTerms: [{tags: {a: b}}]
                                        """))
                .hasMessageContaining("the family Custom knows no image");
    }

    @Test
    @Order(4)
    void aNewCertificateIsTrustedBeforeItIsServed() {
        var before = bundle();
        plane.kubectl("delete", "secret", "-n", "kube-system", "karpenter-cert");

        var after =
                Eventually.see(
                        "the definitions trust a new authority",
                        () -> {
                            // Every look in between asks the webhook.
                            assertThat(look(BETA_POOL, "stored", "{.metadata.name}"))
                                    .isEqualTo("stored");
                            return bundle();
                        },
                        bundle -> !bundle.equals(before));
        assertThat(after.length()).isGreaterThan(before.length());
        assertThat(look(BETA_POOL, "stored", "{.spec.disruption.consolidationPolicy}"))
                .isEqualTo("WhenUnderutilized");
    }

    @Test
    @Order(5)
    void aSecretThatHoldsNoCertificateAnyMoreIsFilledAgain() {
        var before = bundle();
        plane.kubectl(
                "patch",
                "secret",
                "karpenter-cert",
                "-n",
                "kube-system",
                "--type=json",
                "-p=[{\"op\": \"remove\", \"path\": \"/data\"}]");

        Eventually.see(
                "the definitions trust what was put in its place",
                this::bundle,
                bundle -> !bundle.equals(before));
        assertThat(look(BETA_POOL, "stored", "{.metadata.name}")).isEqualTo("stored");
    }

    private String bundle() {
        return look(
                "crd",
                "nodepools.karpenter.sh",
                "{.spec.conversion.webhook.clientConfig.caBundle}");
    }

    @Test
    @Order(6)
    void theOperatorServesIt() throws IOException {
        upkeep.interrupt();
        server.close();
        plane.apply(CustomResources.kwok().definition(CustomResources.KWOK_NODE_CLASSES));
        var port = freePort();
        try (var operator =
                OperatorProcess.start(
                        plane,
                        Map.of(
                                "DISABLE_WEBHOOK",
                                "false",
                                "WEBHOOK_PORT",
                                String.valueOf(port),
                                "WEBHOOK_URL",
                                "https://127.0.0.1:" + port))) {
            operator.says("serving the conversion webhook");
            Eventually.see(
                    "the definition names the operator",
                    () ->
                            look(
                                    "crd",
                                    "nodepools.karpenter.sh",
                                    "{.spec.conversion.webhook.clientConfig.url}"),
                    "https://127.0.0.1:%d/conversion/karpenter.sh".formatted(port)::equals);
            operator.says("started controllers");
            assertThat(look(BETA_POOL, "stored", "{.spec.template.spec.kubelet.maxPods}"))
                    .isEqualTo("30");
            assertThat(operator.stop()).isZero();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
