package dev.millwright.providers.aws.instancetype;

import static dev.millwright.testing.kit.aws.ClassFactsDraft.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Gpu;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.NetworkInterface;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.ec2.Ec2Resources;
import dev.millwright.testing.kit.aws.ClassFactsDraft;
import dev.millwright.testing.kit.aws.TypeShop;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

final class TypeRoomTest {

    private static final NetworkInterface PRIMARY =
            new NetworkInterface(0, 0, NetworkInterface.Type.INTERFACE);

    private final TypeShop shop = new TypeShop();

    private long capacity(ClassFactsDraft facts, String type, String resource) {
        return shop.type(facts.build(), type).capacity().amount(resource).units();
    }

    private long pods(ClassFactsDraft facts, String type) {
        return capacity(facts, type, Resources.PODS);
    }

    private static long bytes(String quantity) {
        return Quantity.parse(quantity).units();
    }

    @ParameterizedTest
    @Tag("AWS-D2")
    @CsvSource({
        "t3.large, vpc.amazonaws.com/pod-eni, 0",
        "m5.large, vpc.amazonaws.com/pod-eni, 9",
        "g4dn.8xlarge, nvidia.com/gpu, 1",
        "p4d.24xlarge, nvidia.com/gpu, 8",
        "g4dn.8xlarge, amd.com/gpu, 0",
        "trn1.32xlarge, aws.amazon.com/neuron, 16",
        "trn1.32xlarge, aws.amazon.com/neuroncore, 32",
        "inf1.24xlarge, aws.amazon.com/neuroncore, 64",
        "p4d.24xlarge, vpc.amazonaws.com/efa, 4",
        "m5.large, vpc.amazonaws.com/efa, 0",
    })
    void devicesAreCounted(String type, String resource, long wanted) {
        assertThat(capacity(facts(), type, resource)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @Tag("AWS-D2")
    @CsvSource({
        "NVIDIA, nvidia.com/gpu",
        "AMD, amd.com/gpu",
        "Habana, habana.ai/gaudi",
    })
    void gpusOfAllKindsAreCountedByTheirMaker(String maker, String resource) {
        var like = shop.infos().type("p4d.24xlarge");
        var info =
                new InstanceTypeInfo(
                        "x9.large",
                        like.processor(),
                        like.memoryMebibytes(),
                        List.of(new Gpu("A", maker, 3, 1024), new Gpu("B", maker, 2, 1024)),
                        List.of(),
                        List.of(),
                        like.storage(),
                        like.network(),
                        like.hypervisor(),
                        false,
                        like.usageClasses(),
                        like.placementStrategies(),
                        false);
        shop.known().acceptTypes(new Asked.Told<>(List.of(info)));

        assertThat(capacity(facts(), "x9.large", resource)).isEqualTo(5);
        assertThat(
                        List.of(
                                Ec2Resources.NVIDIA_GPU,
                                Ec2Resources.AMD_GPU,
                                Ec2Resources.HABANA_GAUDI))
                .filteredOn(other -> capacity(facts(), "x9.large", other) > 0)
                .containsExactly(resource);
    }

    @Test
    @Tag("AWS-D2")
    void onlyWindowsNodesHaveAddressesToGiveAway() {
        var linux = shop.type(facts().build(), "m5.large");

        assertThat(linux.capacity().has(Ec2Resources.PRIVATE_IPV4_ADDRESS)).isFalse();
        assertThat(
                        capacity(
                                facts().family(AmiFamily.WINDOWS2022),
                                "m5.large",
                                Ec2Resources.PRIVATE_IPV4_ADDRESS))
                .isEqualTo(9);
    }

    @Test
    @Tag("AWS-D2")
    void interfacesOfTheClassTellHowMuchEfaThereIs() {
        var one =
                facts().interfaces(
                                PRIMARY,
                                new NetworkInterface(1, 1, NetworkInterface.Type.EFA_ONLY));

        assertThat(capacity(one, "p4d.24xlarge", Ec2Resources.EFA)).isEqualTo(1);
        assertThat(capacity(facts().interfaces(), "p4d.24xlarge", Ec2Resources.EFA)).isZero();
    }

    @ParameterizedTest
    @Tag("AWS-D4")
    @CsvSource({
        "AL2, 20Gi",
        "AL2023, 20Gi",
        "BOTTLEROCKET, 20Gi",
        "CUSTOM, 20Gi",
        "WINDOWS2019, 50Gi",
        "WINDOWS2022, 50Gi",
        "WINDOWS2025, 50Gi",
    })
    void aFamilyHasItsOwnDisk(AmiFamily family, String size) {
        assertThat(capacity(facts().family(family), "m5.large", Resources.EPHEMERAL_STORAGE))
                .isEqualTo(bytes(size));
    }

    @ParameterizedTest
    @Tag("AWS-D4")
    @CsvSource({
        "AL2023, /dev/xvda, 100Gi, 100Gi",
        "AL2023, /dev/xvdb, 100Gi, 20Gi",
        "BOTTLEROCKET, /dev/xvdb, 100Gi, 100Gi",
        "BOTTLEROCKET, /dev/xvda, 100Gi, 20Gi",
        "WINDOWS2022, /dev/sda1, 100Gi, 100Gi",
        "CUSTOM, /dev/anything, 100Gi, 100Gi",
        "CUSTOM, /dev/anything, , 20Gi",
        "AL2023, /dev/xvda, , 20Gi",
    })
    void aDeviceOfTheClassCountsWherePodsLive(
            AmiFamily family, String device, String size, String wanted) {
        assertThat(
                        capacity(
                                facts().family(family).device(device, size),
                                "m5.large",
                                Resources.EPHEMERAL_STORAGE))
                .isEqualTo(bytes(wanted));
    }

    @Test
    @Tag("AWS-D4")
    void theLastDeviceOfACustomImageCounts() {
        var facts =
                facts().family(AmiFamily.CUSTOM)
                        .device("/dev/xvda", "20Gi")
                        .device("/dev/xvdb", "40Gi");

        assertThat(capacity(facts, "m5.large", Resources.EPHEMERAL_STORAGE))
                .isEqualTo(bytes("40Gi"));
    }

    @ParameterizedTest
    @Tag("AWS-D4")
    @EnumSource(AmiFamily.class)
    void theRootVolumeCountsBeforeAll(AmiFamily family) {
        var facts =
                facts().family(family)
                        .rootDevice("/dev/one", "70Gi")
                        .device("/dev/xvda", "20Gi")
                        .device("/dev/sda1", "30Gi");

        assertThat(capacity(facts, "m5.large", Resources.EPHEMERAL_STORAGE))
                .isEqualTo(bytes("70Gi"));
    }

    @Test
    @Tag("AWS-D4")
    void localDisksCountOnlyWhenTheyAreJoined() {
        var storage = Resources.EPHEMERAL_STORAGE;

        assertThat(capacity(facts(), "m5d.large", storage)).isEqualTo(bytes("20Gi"));
        assertThat(capacity(facts().raid0(), "m5d.large", storage)).isEqualTo(bytes("75G"));
        assertThat(capacity(facts().raid0(), "m5.large", storage)).isEqualTo(bytes("20Gi"));
        assertThat(capacity(facts().raid0().rootDevice("/dev/xvda", "70Gi"), "m5d.large", storage))
                .isEqualTo(bytes("75G"));
    }

    @ParameterizedTest
    @Tag("AWS-D5")
    @CsvSource({
        "AL2, t3.large, 35",
        "AL2023, m5.large, 29",
        "AL2023, m5.xlarge, 58",
        "BOTTLEROCKET, m5.xlarge, 58",
        "CUSTOM, m5.xlarge, 58",
        "WINDOWS2022, m5.xlarge, 110",
        "WINDOWS2019, m5.large, 110",
    })
    void interfacesOrTheFamilyLimitPods(AmiFamily family, String type, long wanted) {
        assertThat(pods(facts().family(family), type)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @Tag("AWS-D5")
    @EnumSource(AmiFamily.class)
    void everyFamilyHeedsMaxPods(AmiFamily family) {
        assertThat(pods(facts().family(family).maxPods(10), "m5.xlarge")).isEqualTo(10);
    }

    @ParameterizedTest
    @Tag("AWS-D5")
    @CsvSource({"1, m5.xlarge, 44", "3, m5.xlarge, 16", "4, m5.xlarge, 0", "100, m5.xlarge, 0"})
    void reservedInterfacesTakeTheirPods(int reserved, String type, long wanted) {
        var strict =
                new TypeShop(
                        new TypeSettings(
                                TypeShop.REGION,
                                reserved,
                                TypeSettings.MEMORY_OVERHEAD_DEFAULT,
                                true));

        assertThat(strict.type(facts().build(), type).capacity().amount(Resources.PODS).units())
                .isEqualTo(wanted);
    }

    @ParameterizedTest
    @Tag("AWS-D5")
    @CsvSource({
        "AL2023, 1, , 4",
        "AL2023, 4, 20, 16",
        "AL2023, 4, 10, 10",
        "AL2023, 0, , 58",
        "AL2, 1, , 4",
        "WINDOWS2022, 1, , 4",
        "BOTTLEROCKET, 1, , 58",
        "BOTTLEROCKET, 1, 20, 20",
    })
    void podsPerCoreLimitsWhereTheFamilyHeedsIt(
            AmiFamily family, int podsPerCore, Integer maxPods, long wanted) {
        var facts = facts().family(family).podsPerCore(podsPerCore).maxPods(maxPods);

        assertThat(pods(facts, "m5.xlarge")).isEqualTo(wanted);
    }

    @Test
    @Tag("AWS-D5")
    void anInterfaceForEfaOnTheFirstCardTakesItsPods() {
        var first =
                facts().interfaces(
                                PRIMARY,
                                new NetworkInterface(0, 1, NetworkInterface.Type.EFA_ONLY));
        var second =
                facts().interfaces(
                                PRIMARY,
                                new NetworkInterface(1, 0, NetworkInterface.Type.EFA_ONLY));

        assertThat(pods(facts(), "p4d.24xlarge")).isEqualTo(15 * 49 + 2);
        assertThat(pods(first, "p4d.24xlarge")).isEqualTo(14 * 49 + 2);
        assertThat(pods(second, "p4d.24xlarge")).isEqualTo(15 * 49 + 2);
    }

    @ParameterizedTest
    @Tag("AWS-D6")
    @CsvSource({
        "AL2023, 80m, 893Mi, 1Gi",
        "AL2, 80m, 893Mi, 1Gi",
        "CUSTOM, 80m, 893Mi, 1Gi",
        "BOTTLEROCKET, 80m, 893Mi, 1Gi",
        "WINDOWS2022, 80m, 1465Mi, 1Gi",
    })
    void theKubeletKeepsItsShare(AmiFamily family, String cpu, String memory, String storage) {
        assertThat(shop.type(facts().family(family).build(), "m5.xlarge").overhead().kubeReserved())
                .isEqualTo(
                        Resources.parse(
                                "cpu", cpu, "memory", memory, "ephemeral-storage", storage));
    }

    @ParameterizedTest
    @Tag("AWS-D6")
    @CsvSource({
        "AL2023, 893Mi",
        "AL2, 893Mi",
        "CUSTOM, 893Mi",
        "BOTTLEROCKET, 365Mi",
        "WINDOWS2022, 365Mi"
    })
    void whetherMaxPodsLowersItsMemoryIsTheFamilysChoice(AmiFamily family, String memory) {
        var type = shop.type(facts().family(family).maxPods(10).build(), "m5.xlarge");

        assertThat(type.overhead().kubeReserved().amount(Resources.MEMORY))
                .isEqualTo(Quantity.parse(memory));
    }

    @Test
    @Tag("AWS-D6")
    void whatTheClassReservesCountsEntryByEntry() {
        var facts =
                facts().kubeReserved(Map.of("cpu", "2", "memory", "1Gi"))
                        .systemReserved(Map.of("cpu", "1", "memory", "3Gi"))
                        .build();
        var overhead = shop.type(facts, "m5.xlarge").overhead();

        assertThat(overhead.kubeReserved())
                .isEqualTo(
                        Resources.parse("cpu", "2", "memory", "1Gi", "ephemeral-storage", "1Gi"));
        assertThat(overhead.systemReserved())
                .isEqualTo(Resources.parse("cpu", "1", "memory", "3Gi"));
        assertThat(shop.type(facts().build(), "m5.xlarge").overhead().systemReserved())
                .isEqualTo(Resources.NONE);
    }

    @ParameterizedTest
    @Tag("AWS-D6")
    @CsvSource({
        "memory.available, 500Mi, memory, 500Mi",
        "memory.available, 10%, memory, 1589116928",
        "memory.available, 100%, memory, 0",
        "nodefs.available, 10%, ephemeral-storage, 2Gi",
        "nodefs.available, 25%, ephemeral-storage, 5Gi",
        "nodefs.available, 100%, ephemeral-storage, 0",
        "nodefs.available, 3Gi, ephemeral-storage, 3Gi",
        "pid.available, 10%, memory, 100Mi",
    })
    void aHardEvictionThresholdIsKept(String signal, String value, String resource, String wanted) {
        var facts = facts().evictionHard(Map.of(signal, value)).build();

        // m5.xlarge shows 16384 MiB less 1229; a tenth of that, rounded up to a byte.
        assertThat(shop.type(facts, "m5.xlarge").overhead().evictionThreshold().amount(resource))
                .isEqualTo(Quantity.parse(wanted));
    }

    @Test
    @Tag("AWS-D6")
    void aSoftEvictionThresholdKeepsNothing() {
        var facts = facts().evictionSoft(Map.of("memory.available", "5Gi")).build();

        assertThat(shop.type(facts, "m5.xlarge").overhead())
                .isEqualTo(shop.type(facts().build(), "m5.xlarge").overhead());
    }

    @Test
    @Tag("AWS-D6")
    void memoryIsLessTheHypervisorsShareAndGravitonsOwn() {
        assertThat(capacity(facts(), "m5.xlarge", Resources.MEMORY))
                .isEqualTo((16384 - 1229) * (1L << 20));
        assertThat(capacity(facts(), "m6g.xlarge", Resources.MEMORY))
                .isEqualTo((16384 - 64 - 1224) * (1L << 20));
    }

    @Test
    @Tag("AWS-D6")
    void theHypervisorsShareIsASetting() {
        var none = new TypeShop(new TypeSettings(TypeShop.REGION, 0, BigDecimal.ZERO, true));

        assertThat(none.type(facts().build(), "m5.xlarge").capacity().amount(Resources.MEMORY))
                .isEqualTo(Quantity.parse("16Gi"));
    }

    @Test
    @Tag("AWS-D14")
    void aQuantityThatIsNoneFailsTheListUntilItIsMended() {
        ClassFacts broken = facts().kubeReserved(Map.of("cpu", "much")).build();

        assertThat(shop.answer(broken))
                .isInstanceOfSatisfying(
                        CatalogAnswer.Failed.class,
                        failed -> assertThat(failed.message()).contains("quantity \"much\""));
        assertThat(shop.answer(facts().kubeReserved(Map.of("cpu", "1")).build()))
                .isInstanceOf(CatalogAnswer.Types.class);
    }
}
