package dev.millwright.testing.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FakeCatalogueTest {

    private static final Resources OVERHEAD = FakeCatalogue.OVERHEAD;

    private static InstanceType type(String name) {
        return FakeCatalogue.standard().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "default-instance-type, 4, 4Gi, 5, amd64, small",
        "small-instance-type, 2, 2Gi, 5, amd64, small",
        "arm-instance-type, 16, 128Gi, 5, arm64, large",
        "single-pod-instance-type, 4, 4Gi, 1, amd64, small"
    })
    void theStandardMachinesDifferInOneRespectEach(
            String name, String cpu, String memory, String pods, String arch, String size) {
        var type = type(name);

        assertThat(type.capacity())
                .isEqualTo(Resources.parse("cpu", cpu, "memory", memory, "pods", pods));
        assertThat(type.allocatable()).isEqualTo(type.capacity().minus(OVERHEAD));
        assertThat(type.requirements().on(LabelKeys.ARCH).values()).containsExactly(arch);
        assertThat(type.requirements().on(FakeCatalogue.SIZE).values()).containsExactly(size);
        assertThat(type.requirements().on(FakeCatalogue.INTEGER).values()).containsExactly(cpu);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 2Gi, 10, 0.3147483648",
        "2, 3, 6Gi, 30, 0.9442450944000002",
        "57, 58, 116Gi, 580, 18.255405158400002",
        "399, 400, 800Gi, 4000, 125.89934592"
    })
    void theLinearMachinesGrowWithTheirNumber(
            int number, String cpu, String memory, String pods, double price) {
        var type = FakeCatalogue.linear(400).get(number);

        assertThat(type.name()).isEqualTo("fake-it-" + number);
        assertThat(type.capacity())
                .isEqualTo(Resources.parse("cpu", cpu, "memory", memory, "pods", pods));
        assertThat(type.offerings())
                .extracting(Offering::zone, Offering::capacityType, Offering::pricePerHour)
                .containsExactly(
                        tuple("test-zone-1", "spot", price),
                        tuple("test-zone-2", "spot", price),
                        tuple("test-zone-1", "on-demand", price),
                        tuple("test-zone-2", "on-demand", price),
                        tuple("test-zone-3", "on-demand", price));
    }

    @Test
    void theAssortedMachinesAreEveryMixOnceEachOfferedInOneWay() {
        var types = FakeCatalogue.assorted();

        assertThat(types).hasSize(7 * 8 * 3 * 2 * 2 * 2);
        assertThat(types).extracting(InstanceType::name).doesNotHaveDuplicates();
        assertThat(types).allSatisfy(type -> assertThat(type.offerings()).hasSize(1));
    }
}
