package dev.millwright.providers.aws.instancetype;

import static dev.millwright.testing.kit.aws.ClassFactsDraft.facts;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.offering.OfferingMetricsController;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.testing.kit.aws.TypeShop;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class TypeControllersTest {

    private final Rig rig = new Rig();
    private final TypeShop shop = new TypeShop();
    private final MemoryDiscoveryController discovery =
            new MemoryDiscoveryController(
                    shop.known(), shop.memory(), new TypeSettings(TypeShop.REGION));

    private void cluster(String imageId, String memory) {
        rig.apply(
                """
                apiVersion: karpenter.test.sh/v1alpha1
                kind: TestNodeClass
                metadata: {name: default}
                spec: {amiFamily: AL2023, amiSelectorTerms: [{alias: al2023@latest}]}
                status:
                  subnets: [{id: subnet-1, zone: us-east-1a, zoneID: use1-az1}]
                  amis:
                  - id: ami-gpu
                    requirements: [{key: karpenter.k8s.aws/instance-gpu-count, operator: Exists}]
                  - id: ami-std
                    requirements:
                    - {key: kubernetes.io/arch, operator: In, values: [amd64]}
                    - {key: karpenter.k8s.aws/instance-gpu-count, operator: DoesNotExist}
                """);
        rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodeClaim
                metadata: {name: c}
                spec:
                  requirements: []
                  nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
                status: {providerID: "aws:///us-east-1a/i-1", imageID: %s}
                """
                        .formatted(imageId));
        rig.apply(
                Manifest.node("n")
                        .providerId("aws:///us-east-1a/i-1")
                        .label("node.kubernetes.io/instance-type", "m5.xlarge")
                        .label("karpenter.test.sh/testnodeclass", "default")
                        .registered()
                        .capacity("memory", memory));
    }

    private @Nullable Quantity seen() {
        var ref = rig.claim("c").spec().nodeClassRef();
        var object = rig.view().nodeClass(ref);
        if (object == null) {
            throw new AssertionError("no class");
        }
        return shop.memory().find("m5.xlarge", Ec2NodeClass.of(object).status().amis());
    }

    @Test
    @Tag("AWS-D15")
    void aNodeOfTheCurrentImageTellsItsMemory() {
        cluster("ami-std", "15500Mi");
        rig.run(discovery, "n");

        assertThat(seen()).isEqualTo(Quantity.parse("15500Mi"));
    }

    @Test
    @Tag("AWS-D15")
    void aNodeOfAnotherImageTellsNothing() {
        cluster("ami-old", "15500Mi");
        rig.run(discovery, "n");

        assertThat(seen()).isNull();
    }

    @Test
    @Tag("AWS-D15")
    void aNodeTellsWhenItTurnsRegistered() {
        cluster("ami-std", "15500Mi");
        var registered = rig.node("n");
        rig.apply(Manifest.node("m").providerId("aws:///us-east-1a/i-2"));
        var unregistered = rig.node("m");

        assertThat(keys(new Change<>(registered.meta().name(), null, registered))).isNotEmpty();
        assertThat(keys(new Change<>(registered.meta().name(), unregistered, registered)))
                .isNotEmpty();
        assertThat(keys(new Change<>(registered.meta().name(), registered, registered))).isEmpty();
        assertThat(keys(new Change<>(registered.meta().name(), null, unregistered))).isEmpty();
    }

    @SuppressWarnings("unchecked")
    private List<?> keys(Change<NodeObject> change) {
        var watch = discovery.watches().getFirst();
        assertThat(watch.kind()).isEqualTo(Kind.NODE);
        return ((Controller.Keys<NodeObject>) watch.keys()).of(rig.view(), change);
    }

    private static final ClassFacts NARROW =
            facts().withoutSubnets().subnet("subnet-1", "us-east-1a", "use1-az1").build();

    private OfferingMetricsController metrics(boolean isReservedCapacityOn) {
        Catalogs catalogs =
                pool ->
                        switch (pool.name()) {
                            case "narrow" -> shop.answer(NARROW);
                            case "wide" -> shop.answer(facts().build());
                            default -> new CatalogAnswer.Failed("no subnets found");
                        };
        return new OfferingMetricsController(catalogs, isReservedCapacityOn);
    }

    private @Nullable Double available(String capacityType, String zone) {
        return rig.gauge(TypeFamilies.OFFERING_AVAILABLE, "m5.large", capacityType, zone);
    }

    @Test
    @Tag("AWS-H4")
    void anOfferingIsToldAsAvailableWhenItIsToAnyPool() {
        rig.apply(pool("narrow")).apply(pool("wide"));

        assertThat(rig.run(metrics(false))).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(available("on-demand", "us-east-1a")).isEqualTo(1);
        assertThat(available("on-demand", "us-east-1b")).isEqualTo(1);
        assertThat(available("on-demand", "us-east-1d")).isEqualTo(0);
        assertThat(rig.gauge(TypeFamilies.OFFERING_PRICE, "m5.large", "on-demand", "us-east-1a"))
                .isEqualTo(0.096);
        assertThat(available("reserved", "us-east-1a")).isNull();
    }

    @Test
    @Tag("AWS-H4")
    void withTheGateOnEveryZoneHasAReservedSeries() {
        rig.apply(pool("wide"));
        rig.run(metrics(true));

        assertThat(available("reserved", "us-east-1a")).isEqualTo(0);
        assertThat(available("reserved", "us-east-1f")).isEqualTo(0);
    }

    @Test
    @Tag("AWS-H4")
    void aPoolThatFailsDoesNotHideTheOthers() {
        rig.apply(pool("wide")).apply(pool("broken"));

        assertThat(rig.run(metrics(false))).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(available("on-demand", "us-east-1a")).isEqualTo(1);
        assertThat(rig.lines())
                .singleElement()
                .satisfies(
                        line -> {
                            assertThat(line.level()).isEqualTo(LogLevel.INFO);
                            assertThat(line.keyValues())
                                    .containsExactly(
                                            "NodePool", "broken", "reason", "no subnets found");
                        });
    }

    @Test
    @Tag("AWS-H6")
    void theNumberOfARefusedTypeChangesWithMarkAndExpiry() {
        var unavailable = shop.unavailable();
        var start = unavailable.marks(shop.now());
        shop.refuse("spot", "m5.large", "us-east-1a");
        var marked = unavailable.marks(shop.now());
        shop.advance(Duration.ofMinutes(3));
        var expired = unavailable.marks(shop.now());

        assertThat(marked.sequence("m5.large")).isGreaterThan(start.sequence("m5.large"));
        assertThat(expired.sequence("m5.large")).isGreaterThan(marked.sequence("m5.large"));
        assertThat(expired.sequence("m5.xlarge")).isEqualTo(start.sequence("m5.xlarge"));
        assertThat(unavailable.marks(shop.now())).isSameAs(expired);
    }

    @Test
    @Tag("AWS-H6")
    void theNumbersOfAllTypesChangeWithACapacityTypeOrASubnet() {
        var unavailable = shop.unavailable();
        var start = unavailable.marks(shop.now());
        unavailable.markCapacityType("spot", shop.now());
        var marked = unavailable.marks(shop.now());
        unavailable.markSubnet("subnet-1", shop.now());
        var both = unavailable.marks(shop.now());

        assertThat(marked.sequence("m5.large")).isGreaterThan(start.sequence("m5.large"));
        assertThat(both.sequence("never.seen")).isGreaterThan(marked.sequence("never.seen"));
    }
}
