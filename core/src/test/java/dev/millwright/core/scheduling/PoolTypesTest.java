package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.InstanceTypeBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Which types serve a requirement set, and whether they leave enough choice.
final class PoolTypesTest {

    private static final InstanceType SMALL = instanceType("small").build();
    private static final InstanceType ARM = instanceType("arm").arch("arm64").build();
    private static final List<InstanceType> BOTH = List.of(SMALL, ARM);

    private static boolean isUsable(InstanceTypeBuilder type, Requirements wanted) {
        return PoolTypes.isUsable(type.build(), wanted, FakeCatalogue.VOCABULARY.wellKnown());
    }

    @Test
    void aTypeServesWhatItMeetsAndIsSoldAs() {
        var type = instanceType("a").offering("z-1", "spot", 1);

        assertThat(isUsable(type, Requirements.NONE)).isTrue();
        assertThat(isUsable(type, Requirements.of(in(LabelKeys.ZONE, "z-1")))).isTrue();
        assertThat(isUsable(type, Requirements.of(in(LabelKeys.ZONE, "z-2")))).isFalse();
        assertThat(isUsable(type, Requirements.of(in(LabelKeys.ARCH, "arm64")))).isFalse();
    }

    @Test
    void noSingleOfferingMayMeetOnlyHalfOfWhatIsWanted() {
        var type = instanceType("a").offering("z-1", "spot", 1).offering("z-2", "on-demand", 1);
        var wanted =
                Requirements.of(
                        in(LabelKeys.ZONE, "z-1"), in(LabelKeys.CAPACITY_TYPE, "on-demand"));

        assertThat(isUsable(type, wanted)).isFalse();
    }

    @Test
    void aTypeThatIsSoldOutOrSmallerThanItsOverheadServesNobody() {
        assertThat(isUsable(instanceType("a").unavailable(), Requirements.NONE)).isFalse();
        assertThat(isUsable(instanceType("a").cpu("50m"), Requirements.NONE)).isFalse();
    }

    private static Requirements wanting(String key, int count) {
        return Requirements.of(exists(key).withMinValues(count));
    }

    @Test
    void minValuesCountDistinctValues() {
        assertThat(PoolTypes.unmetMinValues(BOTH, wanting(LabelKeys.ARCH, 2))).isNull();
        assertThat(PoolTypes.unmetMinValues(BOTH, wanting(LabelKeys.ARCH, 3)))
                .isEqualTo(new Refusal.MinValues(LabelKeys.ARCH, 3, 2));
        assertThat(PoolTypes.unmetMinValues(BOTH, wanting(FakeCatalogue.SIZE, 2)))
                .isEqualTo(new Refusal.MinValues(FakeCatalogue.SIZE, 2, 1));
    }

    @Test
    void valuesThatAreNotAllowedDoNotCount() {
        var wanted = Requirements.of(in(LabelKeys.ARCH, "arm64").withMinValues(2));

        assertThat(PoolTypes.unmetMinValues(BOTH, wanted))
                .isEqualTo(new Refusal.MinValues(LabelKeys.ARCH, 2, 1));
    }

    @Test
    void whereThereIsNoTypeMinValuesAreNotToBlame() {
        assertThat(PoolTypes.unmetMinValues(List.of(), wanting(LabelKeys.ARCH, 2))).isNull();
    }

    @Test
    void minValuesAreLoweredToWhatThereIs() {
        var wanted =
                wanting(LabelKeys.ARCH, 3)
                        .and(exists(LabelKeys.INSTANCE_TYPE).withMinValues(9))
                        .and(exists(LabelKeys.ZONE).withMinValues(1));

        var reachable = PoolTypes.withReachableMinValues(BOTH, wanted);

        assertThat(reachable.on(LabelKeys.ARCH).minValues()).isEqualTo(2);
        assertThat(reachable.on(LabelKeys.INSTANCE_TYPE).minValues()).isEqualTo(2);
        assertThat(reachable.on(LabelKeys.ZONE).minValues()).isEqualTo(1);
    }
}
