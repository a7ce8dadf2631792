package dev.millwright.core.label;

import static dev.millwright.core.label.Sample.KEY;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Set;

final class RequirementsTest {

    private static final Set<String> NOTHING = Set.of();

    // Compatibility ----------------------------------------------------------------------------

    @Tag("A12")
    @ParameterizedTest
    @EnumSource
    void setsThatShareAKeyAreCompatibleWhenAValueIsLeftOrBothAcceptAbsence(Sample existing) {
        assertThat(Sample.values())
                .allSatisfy(
                        incoming -> {
                            var isExpected =
                                    !existing.allowedWith(incoming).isEmpty()
                                            || (existing.isContentWithAbsence()
                                                    && incoming.isContentWithAbsence());
                            var set = Requirements.of(existing.requirement());

                            var isStrictly =
                                    set.isCompatible(
                                            Requirements.of(incoming.requirement()), NOTHING);
                            var isLeniently =
                                    set.isCompatible(
                                            Requirements.of(incoming.requirement()), Set.of(KEY));

                            assertThat(isStrictly).isEqualTo(isExpected);
                            assertThat(isLeniently).isEqualTo(isExpected);
                        });
    }

    @Tag("A12")
    @ParameterizedTest
    @EnumSource
    void anUndefinedKeyIsStrictlyMetOnlyByAbsence(Sample incoming) {
        var isCompatible =
                Requirements.NONE.isCompatible(Requirements.of(incoming.requirement()), NOTHING);

        assertThat(isCompatible).isEqualTo(incoming.isContentWithAbsence());
    }

    @Tag("A12")
    @ParameterizedTest
    @EnumSource
    void anUndefinedKeyThatMayBeIsMetByEverything(Sample incoming) {
        var isCompatible =
                Requirements.NONE.isCompatible(
                        Requirements.of(incoming.requirement()), Set.of(KEY));

        assertThat(isCompatible).isTrue();
    }

    @Tag("A12")
    @ParameterizedTest
    @EnumSource
    void theMismatchIsThereExactlyWhenSetsAreIncompatible(Sample existing) {
        assertThat(Sample.values())
                .allSatisfy(
                        incoming -> {
                            var set = Requirements.of(existing.requirement());
                            var other = Requirements.of(incoming.requirement());

                            assertThat(set.mismatch(other, NOTHING) == null)
                                    .isEqualTo(set.isCompatible(other, NOTHING));
                        });
    }

    @Tag("A12")
    @Test
    void keysOnlyTheExistingSideHasDoNotMatter() {
        var set = Requirements.of(Requirement.in("a", "1"), Requirement.in("b", "2"));

        assertThat(set.isCompatible(Requirements.of(Requirement.in("a", "1")), NOTHING)).isTrue();
    }

    @Tag("A12")
    @Test
    void everyWellKnownKeyMayBeUndefinedForANewNode() {
        var incoming =
                Requirements.of(
                        LabelVocabulary.CORE.wellKnown().stream()
                                .map(Requirement::exists)
                                .toList());

        assertThat(Requirements.NONE.isCompatible(incoming, LabelVocabulary.CORE.wellKnown()))
                .isTrue();
        assertThat(Requirements.NONE.isCompatible(incoming, NOTHING)).isFalse();
    }

    @Tag("A12")
    @Test
    void aDisjointKeyIsToldWithBothSides() {
        var set = Requirements.of(Requirement.in(LabelKeys.ZONE, "a"));

        var mismatch = set.mismatch(Requirements.of(Requirement.in(LabelKeys.ZONE, "b")), NOTHING);

        assertThat(mismatch).isNotNull();
        assertThat(mismatch.explain())
                .contains(LabelKeys.ZONE)
                .contains("In [a]")
                .contains("In [b]");
    }

    // Hints ------------------------------------------------------------------------------------

    @Tag("A13")
    @ParameterizedTest
    @CsvSource({
        "zone, topology.kubernetes.io/zone",
        "topology.kubernetes.io/zon, topology.kubernetes.io/zone",
        "topology.kubernetesio/zone, topology.kubernetes.io/zone",
        "topology/zone, topology.kubernetes.io/zone",
        "region, topology.kubernetes.io/region",
        "topology.kubernetes.io/regio, topology.kubernetes.io/region",
        "nodepool, karpenter.sh/nodepool",
        "karpenter/nodepool, karpenter.sh/nodepool",
        "instance-type, node.kubernetes.io/instance-type",
        "arch, kubernetes.io/arch",
        "node.io/arch, kubernetes.io/arch",
        "capacity-type, karpenter.sh/capacity-type"
    })
    void aMisspeltWellKnownKeyIsAnsweredWithTheKeyPerhapsMeant(String written, String meant) {
        var mismatch =
                Requirements.NONE.mismatch(
                        Requirements.of(Requirement.in(written, "x")),
                        LabelVocabulary.CORE.wellKnown());

        assertThat(mismatch).isEqualTo(new Mismatch.Undefined(written, meant));
        assertThat(mismatch.explain()).contains(written).contains(meant);
    }

    @Tag("A13")
    @ParameterizedTest
    @ValueSource(strings = {"team", "example.com/colour", "deployment"})
    void aKeyLikeNoOtherIsAnsweredWithoutAHint(String key) {
        var mismatch =
                Requirements.NONE.mismatch(
                        Requirements.of(Requirement.in(key, "x")),
                        LabelVocabulary.CORE.wellKnown());

        assertThat(mismatch).isEqualTo(new Mismatch.Undefined(key, null));
        assertThat(mismatch.explain()).contains(key).doesNotContain("typo");
    }

    @Tag("A13")
    @Test
    void aMisspeltKeyOfThePoolIsAnsweredToo() {
        var set = Requirements.of(Requirement.in("example.com/colour", "red"));

        var mismatch =
                set.mismatch(
                        Requirements.of(Requirement.in("colour", "red")),
                        LabelVocabulary.CORE.wellKnown());

        assertThat(mismatch).isEqualTo(new Mismatch.Undefined("colour", "example.com/colour"));
    }

    // Text -------------------------------------------------------------------------------------

    @Tag("A14")
    @Test
    void theTextOfASetDoesNotDependOnTheOrderOfItsParts() {
        var one = Requirements.of(Requirement.in("b", "2", "1"), Requirement.exists("a"));
        var other = Requirements.of(Requirement.exists("a"), Requirement.in("b", "1", "2"));

        assertThat(one).hasToString("a Exists, b In [1 2]").isEqualTo(other);
        assertThat(other).hasToString(one.toString());
    }

    @Tag("A14")
    @Test
    void theHostNameOfAnUnmadeNodeIsNotShown() {
        var set =
                Requirements.of(
                        Requirement.in(LabelKeys.HOSTNAME, "placeholder"),
                        Requirement.in("a", "1"));

        assertThat(set).hasToString("a In [1]");
    }

    @Tag("A14")
    @Test
    void labelsBecomeOneValueEach() {
        var set = Requirements.ofLabels(Map.of("b", "2", "a", "1"));

        assertThat(set.all()).containsExactly(Requirement.in("a", "1"), Requirement.in("b", "2"));
    }

    @Tag("A14")
    @Test
    void addingToAKeyNarrowsItAndKeepsWhatIsFlexible() {
        var set =
                Requirements.of(Requirement.in("a", "1", "2", "3"), Requirement.exists("b"))
                        .and(Requirement.of("a", Operator.NOT_IN, "2"))
                        .and(Requirement.of("b", Operator.GTE, "4"))
                        .and(Requirement.of("b", Operator.LTE, "7"));

        assertThat(set).hasToString("a In [1 3], b Exists >=4 <=7");
    }

    @Tag("A14")
    @Test
    void anUndefinedKeyAllowsEverything() {
        assertThat(Requirements.NONE.on("a")).isEqualTo(Requirement.exists("a"));
    }

    @Tag("A14")
    @Test
    void aSetJoinedWithAnotherHasWhatBothAskFor() {
        var one = Requirements.of(Requirement.in("a", "1", "2"));
        var other = Requirements.of(Requirement.in("a", "2", "3"), Requirement.in("b", "4"));

        assertThat(one.and(other))
                .isEqualTo(Requirements.of(Requirement.in("a", "2"), Requirement.in("b", "4")));
        assertThat(Requirements.NONE.and(other)).isEqualTo(other);
        assertThat(other.and(List.of())).isEqualTo(other);
    }

    @Tag("A14")
    @Test
    void aSetIsEmptyUntilItSaysSomethingOfAKey() {
        assertThat(Requirements.of().isEmpty()).isTrue();
        assertThat(Requirements.of(Requirement.exists("a")).isEmpty()).isFalse();
    }

    @Tag("A14")
    @Test
    void onlyAKeyThatIsNamedHasARequirementOfItsOwn() {
        var set = Requirements.of(Requirement.in("a", "1"));

        assertThat(set.orNull("a")).isEqualTo(Requirement.in("a", "1"));
        assertThat(set.orNull("b")).isNull();
        assertThat(set.without("b")).isEqualTo(set);
    }

    @Tag("A14")
    @Test
    void replacingForgetsWhatTheKeyHad() {
        var set = Requirements.of(Requirement.in("a", "1"));

        assertThat(set.replace(Requirement.in("a", "2")).all())
                .containsExactly(Requirement.in("a", "2"));
        assertThat(set.without("a").isEmpty()).isTrue();
    }

    @Test
    void requirementsAreEqualByWhatTheySayOfEachKey() {
        var one = Requirements.of(Requirement.in("a", "1"), Requirement.in("b", "2"));
        var same = Requirements.of(Requirement.in("b", "2"), Requirement.in("a", "1"));

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(one)
                .isNotEqualTo(Requirements.of(Requirement.in("a", "1")))
                .isNotEqualTo(Requirements.NONE)
                .isNotEqualTo("a In [1], b In [2]");
        assertThat(one).doesNotHaveSameHashCodeAs(Requirements.of(Requirement.in("a", "1")));
    }

    @Test
    void requirementsKnowWhetherAnyOfThemWantsSeveralValues() {
        assertThat(Requirements.of(Requirement.in("a", "1")).hasMinValues()).isFalse();
        assertThat(
                        Requirements.of(
                                        Requirement.in("a", "1"),
                                        Requirement.of("b", Operator.EXISTS, 2, List.of()))
                                .hasMinValues())
                .isTrue();
    }
}
