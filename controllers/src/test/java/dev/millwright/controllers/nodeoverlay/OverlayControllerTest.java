package dev.millwright.controllers.nodeoverlay;

import static dev.millwright.controllers.nodeoverlay.Overlays.IN_TWO;
import static dev.millwright.controllers.nodeoverlay.Overlays.SPOT;
import static dev.millwright.controllers.nodeoverlay.Overlays.TYPE_A;
import static dev.millwright.controllers.nodeoverlay.Overlays.fuses;
import static dev.millwright.controllers.nodeoverlay.Overlays.machine;
import static dev.millwright.controllers.nodeoverlay.Overlays.overlay;
import static dev.millwright.testing.kit.cluster.PoolManifests.CLASS;
import static dev.millwright.testing.kit.cluster.PoolManifests.called;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.testing.kit.FakeCatalogue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;

/// Overlays are tried on what pools can buy, again whenever that may have changed.
final class OverlayControllerTest {

    private final Overlays cluster = new Overlays();

    @Test
    @Tag("K-OV-1")
    @Tag("K-OV-69")
    @Tag("K-OV-78")
    void withoutOverlaysPoolsHaveWhatTheCloudOffers() {
        cluster.run();
        var plain = cluster.rig.cloud().catalog(cluster.rig.pool("one").pool());

        assertThat(cluster.overlaid.catalog(cluster.rig.pool("one").pool())).isSameAs(plain);
    }

    @Test
    @Tag("K-OV-2")
    void oneOverlayHolds() {
        var ending = cluster.run(overlay("x", 1, "price: \"5\"", TYPE_A));

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofHours(6)));
        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.rounds).hasSize(1);
    }

    @Test
    @Tag("K-OV-3")
    void faultyRequirementsAreTold() {
        cluster.run(
                overlay(
                        "x",
                        1,
                        "price: \"5\"",
                        "{key: kubernetes.io/arch, operator: In, values: [\"no good\"]}"));

        assertThat(cluster.reason("x")).isEqualTo("RuntimeValidation");
        assertThat(cluster.validity("x").message()).contains("no good");
        assertThat(cluster.rig.eventReasons()).containsExactly("NodeOverlayValidationFailed");
        assertThat(cluster.rig.events().getFirst().message()).startsWith("NodeOverlay x: ");
    }

    @Test
    @Tag("K-OV-4")
    void aCapacityThatIsTheProvidersIsTold() {
        cluster.run(overlay("x", 1, "capacity: {memory: 1Gi}"));

        assertThat(cluster.reason("x")).isEqualTo("RuntimeValidation");
        assertThat(cluster.validity("x").message()).contains("memory");
    }

    @Test
    void anOverlayThatIsReadOnlyInPartIsNotTried() {
        cluster.run(
                overlay(
                        "x",
                        1,
                        "price: \"5\"",
                        "{key: integer, operator: Gt, values: [one, two]}"));

        assertThat(cluster.reason("x")).isEqualTo("RuntimeValidation");
        assertThat(cluster.prices("one")).containsOnly(1.0);
    }

    @Test
    @Tag("K-OV-62")
    void aPoolThatCanBuyNothingHasNothing() {
        cluster.rig.cloud().types("one", List.of());
        cluster.run(overlay("x", 1, "price: \"5\""));

        assertThat(cluster.holds("x")).isTrue();
        assertThat(cluster.types("one")).isEmpty();
        assertThat(cluster.prices("two")).containsOnly(5.0);
    }

    @Test
    @Tag("K-OV-63")
    void aPoolWhoseTypesCannotBeToldHasNothing() {
        cluster.rig.cloud().catalogAnswer("one", new CatalogAnswer.Failed("no class"));
        cluster.run(overlay("x", 1, "price: \"5\""));

        assertThat(cluster.types("one")).isEmpty();
    }

    @Test
    @Tag("K-OV-64")
    void requirementsOfTypesStayAsTheCloudSays() {
        cluster.run(overlay("x", 1, "price: \"5\""), overlay("y", 1, fuses(2)));

        assertThat(cluster.types("one"))
                .extracting(InstanceType::requirements)
                .containsExactly(
                        machine("a", "1").requirements(), machine("b", "2").requirements());
    }

    // Pools that fail do not stop others ---------------------------------------------------------

    @Test
    @Tag("K-OV-65")
    void aPoolThatFailsDoesNotStopTheOthers() {
        cluster.rig.cloud().catalogAnswer("one", new CatalogAnswer.Failed("no class"));
        var ending = cluster.run(overlay("x", 1, "price: \"5\""));

        assertThat(ending).isInstanceOf(Ending.Failed.class);
        assertThat(ending.toString()).contains("NodePool one", "no class");
        assertThat(cluster.holds("x")).isTrue();
    }

    @Test
    @Tag("K-OV-66")
    void overlaysAreLaidThoughAPoolFails() {
        cluster.rig.cloud().catalogAnswer("one", new CatalogAnswer.Failed("no class"));
        cluster.run(overlay("x", 1, "price: \"5\""));

        assertThat(cluster.prices("two")).containsOnly(5.0);
    }

    @Test
    @Tag("K-OV-67")
    void whenAllPoolsAnswerOverlaysAreTriedAgainAfterSixHours() {
        assertThat(cluster.run()).isEqualTo(new Ending.Again(Duration.ofHours(6)));
    }

    @Test
    @Tag("K-OV-68")
    void aPoolThatFailedIsEvaluatedOnceItAnswers() {
        cluster.rig.cloud().catalogAnswer("one", new CatalogAnswer.Failed("no class"));
        cluster.run(overlay("x", 1, "price: \"5\""));
        cluster.rig.cloud().types("one", List.of(machine("a", "1")));

        assertThat(cluster.overlaid.catalog(cluster.rig.pool("one").pool()))
                .isInstanceOf(CatalogAnswer.Unevaluated.class);
        assertThat(cluster.run()).isEqualTo(new Ending.Again(Duration.ofHours(6)));
        assertThat(cluster.prices("one")).containsExactly(5.0, 5.0);
    }

    // What is kept -------------------------------------------------------------------------------

    @Test
    @Tag("K-OV-70")
    @Tag("K-OV-73")
    @Tag("K-OV-79")
    void aPriceCopiesOfferingsAndSharesTheRest() {
        cluster.run(overlay("x", 1, "price: \"5\"", TYPE_A, SPOT));
        var plain = plain("one");
        var laid = cluster.types("one");

        assertThat(laid.getLast()).isSameAs(plain.getLast());
        assertThat(laid.getFirst().capacity()).isSameAs(plain.getFirst().capacity());
        assertThat(laid.getFirst().requirements()).isSameAs(plain.getFirst().requirements());
        assertThat(laid.getFirst().offerings().getLast())
                .isSameAs(plain.getFirst().offerings().getLast());
        assertThat(laid.getFirst().offerings().getFirst().pricePerHour()).isEqualTo(5);
    }

    @Test
    @Tag("K-OV-71")
    @Tag("K-OV-74")
    @Tag("K-OV-80")
    void aCapacityCopiesTheCapacityAndSharesTheRest() {
        cluster.run(overlay("x", 1, fuses(2), TYPE_A));
        var plain = plain("one");
        var laid = cluster.types("one");

        assertThat(laid.getLast()).isSameAs(plain.getLast());
        assertThat(laid.getFirst().requirements()).isSameAs(plain.getFirst().requirements());
        assertThat(laid.getFirst().offerings().getFirst())
                .isSameAs(plain.getFirst().offerings().getFirst());
        assertThat(plain.getFirst().capacity().has("example.com/fuse")).isFalse();
        assertThat(cluster.fusesOf("one")).containsExactly(2L, 0L);
    }

    @Test
    @Tag("K-OV-72")
    @Tag("K-OV-81")
    void priceAndCapacityCopyOnlyWhatTheyChange() {
        cluster.run(overlay("x", 1, "price: \"5\"", TYPE_A), overlay("y", 1, fuses(2), TYPE_A));
        var plain = plain("one");
        var laid = cluster.types("one");

        assertThat(laid.getFirst().requirements()).isSameAs(plain.getFirst().requirements());
        assertThat(laid.getLast()).isSameAs(plain.getLast());
        assertThat(plain.getFirst().offerings().getFirst().pricePerHour()).isEqualTo(1);
    }

    @Test
    @Tag("K-OV-75")
    void everyPoolHasItsOwnTypes() {
        cluster.run(overlay("x", 1, "price: \"3\"", IN_TWO));

        assertThat(cluster.prices("one")).containsOnly(1.0);
        assertThat(cluster.prices("two")).containsOnly(3.0);
    }

    @Test
    @Tag("K-OV-76")
    void aPoolThatWasNotEvaluatedSitsThePassOut() {
        cluster.run();
        cluster.rig.apply(pool("new"));

        assertThat(cluster.overlaid.catalog(cluster.rig.pool("new").pool()))
                .isInstanceOf(CatalogAnswer.Unevaluated.class);

        cluster.run();
        assertThat(cluster.prices("new")).containsOnly(1.0);
    }

    @Test
    @Tag("K-OV-77")
    void anOverlayThatIsGoneIsTakenOff() {
        cluster.run(overlay("x", 1, "price: \"5\""));
        assertThat(cluster.prices("one")).containsOnly(5.0);

        cluster.rig.api().vanish(ResourceType.NODE_OVERLAY, new ObjectName("", "x"));
        cluster.run();
        assertThat(cluster.prices("one")).containsOnly(1.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 10, 20, 50})
    @Tag("K-OV-82")
    @Tag("K-OV-83")
    @Tag("K-OV-84")
    @Tag("K-OV-85")
    @Tag("K-OV-86")
    void whatIsCopiedGrowsWithThePoolsThatAreMeant(int pools) {
        for (var number = 0; number < pools; number++) {
            cluster.rig.apply(pool("p" + number));
        }
        cluster.run(overlay("x", 1, "price: \"5\"", TYPE_A));
        var copied = 0L;
        for (var number = 0; number < pools; number++) {
            copied += copied("p" + number);
        }

        assertThat(copied).isEqualTo(pools);
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 100, 200, 500})
    @Tag("K-OV-87")
    @Tag("K-OV-88")
    @Tag("K-OV-89")
    @Tag("K-OV-90")
    void whatIsCopiedGrowsWithTheTypesThatAreMeant(int types) {
        cluster.rig.cloud().types(FakeCatalogue.linear(types));
        cluster.run(
                overlay(
                        "x",
                        1,
                        "price: \"5\"",
                        "{key: integer, operator: Gt, values: [\"%d\"]}".formatted(types / 2)));

        assertThat(copied("one")).isEqualTo(types / 2);
    }

    /// Types that are not the cloud's own objects.
    private long copied(String pool) {
        var own = Collections.newSetFromMap(new IdentityHashMap<InstanceType, Boolean>());
        own.addAll(plain(pool));
        return cluster.types(pool).stream().filter(type -> !own.contains(type)).count();
    }

    private List<InstanceType> plain(String pool) {
        return cluster.rig.cloud().catalog(cluster.rig.pool(pool).pool())
                        instanceof CatalogAnswer.Types(var types)
                ? types
                : List.of();
    }

    // Again and again ----------------------------------------------------------------------------

    @Test
    void nothingIsToldTwice() {
        var faulty = overlay("y", 1, "capacity: {memory: 1Gi}");
        cluster.run(overlay("x", 1, "price: \"5\""), faulty);
        cluster.rig.api().forgetWrites();
        cluster.run();

        assertThat(cluster.rig.api().writes()).isEmpty();
        assertThat(cluster.rig.events()).hasSize(1);
    }

    @Test
    void aConflictOverAStatusTriesAllAgain() {
        cluster.rig.api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "quicker"));

        assertThat(cluster.run(overlay("x", 1, "price: \"5\""))).isEqualTo(new Ending.Retry());
        assertThat(cluster.rounds).isEmpty();

        cluster.run();
        assertThat(cluster.prices("one")).containsOnly(5.0);
    }

    @Test
    void poolsOfOtherProvidersAreNotAskedFor() {
        cluster.rig.apply(strangersPool("strange"));
        cluster.rig.cloud().catalogAnswer("strange", new CatalogAnswer.Failed("not mine"));

        assertThat(cluster.run()).isEqualTo(new Ending.Again(Duration.ofHours(6)));
    }

    @Test
    void changesOfOverlaysPoolsAndClassesCallAndTheirStatusDoesNot() {
        assertThat(
                        called(
                                cluster.rig,
                                cluster.controller(),
                                () ->
                                        cluster.rig
                                                .apply(overlay("x", 1, "price: \"5\""))
                                                .apply(pool("new"))
                                                .apply(CLASS)))
                .containsExactly(Controller.SINGLETON, Controller.SINGLETON, Controller.SINGLETON);
        assertThat(called(cluster.rig, cluster.controller(), () -> cluster.run())).isEmpty();
    }
}
