package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.PoolText.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodeclaim.disruption.ClaimDisruptionController;
import dev.millwright.controllers.nodeclaim.disruption.DriftMemory;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.testing.kit.FakeCatalogue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

final class DriftTest {

    private static final String TYPE = "default-instance-type";

    private final ClaimStage stage = new ClaimStage();
    private final ClaimDisruptionController disruption =
            new ClaimDisruptionController(
                    stage.rig().cloud().traits().vocabulary(),
                    stage.rig().cloud()::catalog,
                    new DriftMemory(),
                    stage.rig().view().classKinds(),
                    1);

    /// A running claim of a type that is sold.
    private static ClaimText running(String name) {
        return claim(name)
                .ready()
                .label(LabelKeys.INSTANCE_TYPE, TYPE)
                .label(LabelKeys.ZONE, FakeCatalogue.ZONE_1)
                .label(LabelKeys.CAPACITY_TYPE, "on-demand");
    }

    /// Why the claim has drifted, or null.
    private @Nullable String drift(String claim) {
        stage.run(disruption, claim);
        var condition = stage.claim(claim).conditions().find(ClaimObject.DRIFTED);
        return condition == null || !condition.isTrue() ? null : condition.reason();
    }

    private void twoHoursLater() {
        stage.rig().advance(Duration.ofHours(2));
    }

    private static List<InstanceType> sold(Offering... offerings) {
        return FakeCatalogue.standard().stream()
                .map(type -> type.withOfferings(List.of(offerings)))
                .toList();
    }

    @Test
    @Tag("I-DRF-1")
    void driftThatTheCloudSeesIsMarked() {
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.with(running("a"));

        assertThat(drift("a")).isEqualTo("ImageDrifted");
        assertThat(stage.condition("a", ClaimObject.DRIFTED).message()).isEqualTo("ImageDrifted");
    }

    @Test
    @Tag("I-DRF-2")
    void aClaimOfAnotherProviderDoesNotDrift() {
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.with(running("a").unmanaged());

        assertThat(drift("a")).isNull();
    }

    @Test
    @Tag("I-DRF-3")
    void aClaimWithoutATypeLabelHasNoTypeThatIsSold() {
        stage.with(claim("a").ready());
        twoHoursLater();

        assertThat(drift("a")).isEqualTo("InstanceTypeNotFound");
    }

    @Test
    @Tag("I-DRF-4")
    void aTypeThatIsNotSoldAnyMoreIsDrift() {
        stage.rig().cloud().types(FakeCatalogue.linear(3));
        stage.with(running("a"));
        twoHoursLater();

        assertThat(drift("a")).isEqualTo("InstanceTypeNotFound");
    }

    @Test
    @Tag("I-DRF-5")
    void aTypeWithoutOfferingsIsDrift() {
        stage.rig().cloud().types(sold());
        stage.with(running("a"));
        twoHoursLater();

        assertThat(drift("a")).isEqualTo("InstanceTypeNotFound");
    }

    @Test
    @Tag("I-DRF-6")
    void aTypeThatIsSoldElsewhereOnlyIsDrift() {
        stage.rig().cloud().types(sold(Offering.of(FakeCatalogue.ZONE_2, "on-demand", 1)));
        stage.with(running("a"));
        twoHoursLater();

        assertThat(drift("a")).isEqualTo("InstanceTypeNotFound");
    }

    @Test
    void anOfferingThatIsNotAvailableNowIsNoDrift() {
        stage.rig()
                .cloud()
                .types(sold(Offering.of(FakeCatalogue.ZONE_1, "on-demand", 1).unavailable()));
        stage.with(running("a"));
        twoHoursLater();

        assertThat(drift("a")).isNull();
    }

    @Test
    void aYoungClaimIsNotComparedWithTheCatalogue() {
        stage.rig().cloud().types(sold());
        stage.with(running("a"));
        stage.rig().advance(Duration.ofMinutes(59));

        assertThat(drift("a")).isNull();
    }

    @Test
    void aTypeThatWasFoundIsNotLookedForAgainForHalfAnHour() {
        stage.with(running("a"));
        twoHoursLater();
        assertThat(drift("a")).isNull();
        stage.rig().cloud().types(sold());

        stage.rig().advance(Duration.ofMinutes(29));
        assertThat(drift("a")).isNull();
        stage.rig().advance(Duration.ofMinutes(6));

        assertThat(drift("a")).isEqualTo("InstanceTypeNotFound");
    }

    @Test
    @Tag("I-DRF-7")
    void aChangedTemplateComesBeforeTheCloud() {
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.with(
                        pool().annotation("karpenter.sh/nodepool-hash", "2")
                                .annotation("karpenter.sh/nodepool-hash-version", "v3"))
                .with(
                        running("a")
                                .annotation("karpenter.sh/nodepool-hash", "1")
                                .annotation("karpenter.sh/nodepool-hash-version", "v3"));

        assertThat(drift("a")).isEqualTo("NodePoolDrifted");
    }

    @Test
    @Tag("I-DRF-8")
    void changedRequirementsComeBeforeTheCloud() {
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.with(
                        pool().template(
                                        "requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]"))
                .with(running("a"));

        assertThat(drift("a")).isEqualTo("RequirementsDrifted");
    }

    @ParameterizedTest
    @CsvSource({"Unknown", "False"})
    @Tag("I-DRF-9")
    @Tag("I-DRF-10")
    void aClaimThatIsNotLaunchedLosesTheMark(String launched) {
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.with(claim("a").conditions("Launched=" + launched, "Drifted=True"));

        assertThat(drift("a")).isNull();
        assertThat(stage.claim("a").conditions().find(ClaimObject.DRIFTED)).isNull();
    }

    @Test
    @Tag("I-DRF-11")
    void aClaimWithoutItsPoolDoesNotDrift() {
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.with(running("a"));
        stage.rig().api().vanish(ResourceType.NODE_POOL, new ObjectName("", "default"));

        assertThat(drift("a")).isNull();
    }

    @Test
    @Tag("I-DRF-12")
    void driftThatIsOverIsUnmarked() {
        stage.with(claim("a").conditions("Launched=True", "Drifted=True"));

        assertThat(drift("a")).isNull();
        assertThat(stage.claim("a").conditions().find(ClaimObject.DRIFTED)).isNull();
    }

    @Test
    void theCloudIsAskedEachFiveMinutes() {
        stage.with(running("a"));
        assertThat(stage.run(disruption, "a")).isEqualTo(new Ending.Again(Duration.ofMinutes(5)));
        stage.rig().cloud().driftReason("ImageDrifted");
        stage.rig().advance(Duration.ofMinutes(3));

        assertThat(stage.run(disruption, "a")).isEqualTo(new Ending.Again(Duration.ofMinutes(2)));
        assertThat(drift("a")).isNull();
        stage.rig().advance(Duration.ofMinutes(2));

        assertThat(drift("a")).isEqualTo("ImageDrifted");
    }

    @Test
    void aMachineTheCloudDoesNotKnowHasNotDrifted() {
        stage.rig().cloud().drift(new DriftAnswer.Gone());
        stage.with(running("a"));

        assertThat(drift("a")).isNull();
    }

    @Test
    void aCloudThatCannotTellLeavesTheMark() {
        stage.rig().cloud().drift(new DriftAnswer.Failed("throttled"));
        stage.with(claim("a").conditions("Launched=True", "Initialized=True", "Drifted=True"));

        assertThat(stage.run(disruption, "a")).isInstanceOf(Ending.Failed.class);
        assertThat(stage.isTrue("a", ClaimObject.DRIFTED)).isTrue();
        assertThat(stage.isTrue("a", ClaimObject.CONSOLIDATABLE)).isTrue();
    }

    @Test
    void aCatalogueThatCannotBeToldIsTriedAgain() {
        stage.rig().cloud().catalogAnswer("default", new CatalogAnswer.Failed("throttled"));
        stage.with(running("a"));
        twoHoursLater();

        assertThat(stage.run(disruption, "a")).isInstanceOf(Ending.Failed.class);
    }

    @ParameterizedTest
    @CsvSource({
        "reserved on-demand, false",
        "reserved, false",
        "on-demand, false",
        "spot, true",
        "'', true"
    })
    @Tag("I-DRF-33")
    @Tag("I-DRF-34")
    @Tag("I-DRF-35")
    @Tag("I-DRF-36")
    @Tag("I-DRF-37")
    void aReservedMachineMayBecomeAnOnDemandOne(String capacityTypes, boolean isDrifted) {
        var offerings =
                List.of(capacityTypes.split(" ")).stream()
                        .filter(type -> !type.isEmpty())
                        .map(type -> Offering.of(FakeCatalogue.ZONE_1, type, 1))
                        .toArray(Offering[]::new);
        stage.rig().cloud().types(sold(offerings));
        stage.with(
                claim("a")
                        .ready()
                        .label(LabelKeys.INSTANCE_TYPE, TYPE)
                        .label(LabelKeys.ZONE, FakeCatalogue.ZONE_1)
                        .label(LabelKeys.CAPACITY_TYPE, "reserved")
                        .label("karpenter.sh/reservation-id", "r-1"));
        twoHoursLater();

        assertThat(drift("a")).isEqualTo(isDrifted ? "InstanceTypeNotFound" : null);
    }
}
