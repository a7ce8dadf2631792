package dev.millwright.kube.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.Consumer;

class FieldTest {

    private static List<String> faults(String yaml, Consumer<Field> reading) {
        var faults = new Faults();
        reading.accept(Collected.of(yaml).field(faults));
        try {
            faults.throwIfAny();
            return List.of();
        } catch (DocumentException told) {
            return List.of(told.getMessage().split("\n"));
        }
    }

    @Test
    void aFaultNamesFileLineObjectAndPath() {
        assertThat(
                        faults(
                                "spec:\n  limits:\n    cpu: 12x\n",
                                field -> field.at("spec").at("limits").resources()))
                .containsExactly(
                        "file:3: Thing one: spec.limits.cpu: quantity \"12x\": unknown suffix \"x\"; wanted one of n u m k M G T P E Ki Mi Gi Ti Pi Ei or an exponent");
    }

    @Test
    void anAbsentFieldIsToldAtTheNearestOneAboveIt() {
        assertThat(
                        faults(
                                "a: 1\nspec:\n  b: 2\n",
                                field -> field.at("spec").at("c").at("d").requiredText("a word")))
                .containsExactly("file:3: Thing one: spec.c.d: is missing; wanted a word");
    }

    @Test
    void elementsAreCountedInPaths() {
        assertThat(
                        faults(
                                "a:\n- b: x\n- b: 7\n",
                                field ->
                                        field.at("a")
                                                .elements()
                                                .forEach(each -> each.at("b").text())))
                .containsExactly(
                        "file:3: Thing one: a[1].b: found the number 7; wanted text, so put it in quotes");
    }

    @Test
    void keysWithDotsStandInBrackets() {
        assertThat(faults("a: {example.com/team: 7}\n", field -> field.at("a").texts(63)))
                .containsExactly(
                        "file:1: Thing one: a[example.com/team]: found the number 7; wanted text, so put it in quotes");
    }

    @Test
    void aWrongShapeIsToldAndReadsAsAbsent() {
        assertThat(
                        faults(
                                "a: x\n",
                                field -> assertThat(field.at("a").at("b").isPresent()).isFalse()))
                .containsExactly("file:1: Thing one: a: found \"x\"; wanted a mapping");
        assertThat(faults("a: {b: 1}\n", field -> assertThat(field.at("a").elements()).isEmpty()))
                .containsExactly(
                        "file:1: Thing one: a: found a mapping of 1 fields; wanted a list");
    }

    @Test
    void nullIsAbsent() {
        assertThat(faults("a: ~\n", field -> assertThat(field.at("a").isPresent()).isFalse()))
                .isEmpty();
    }

    @Test
    void negativeAmountsAreRefused() {
        assertThat(faults("a: {cpu: \"-1\"}\n", field -> field.at("a").resources()))
                .containsExactly(
                        "file:1: Thing one: a.cpu: quantity \"-1\" is negative; wanted at least 0");
    }

    @Test
    void amountsThatDoNotFitAreRefused() {
        assertThat(faults("a: {cpu: 10E}\n", field -> field.at("a").resources()))
                .singleElement()
                .asString()
                .contains("does not fit");
        assertThat(faults("a: {cpu: 1e999999999}\n", field -> field.at("a").resources()))
                .singleElement()
                .asString()
                .contains("exponent 999999999 is beyond");
    }

    @Test
    void amountsMayBeNumbersOrText() {
        assertThat(
                        faults(
                                "a: {cpu: 2, memory: 1Gi, half: 0.5}\n",
                                field ->
                                        assertThat(field.at("a").resources())
                                                .isEqualTo(
                                                        Resources.parse(
                                                                "cpu", "2", "memory", "1Gi", "half",
                                                                "500m"))))
                .isEmpty();
    }

    @Test
    void longValuesAreShortenedInMessages() {
        var faults =
                faults(
                        "a: {team: \"" + "x".repeat(100_000) + "\"}\n",
                        field -> field.at("a").texts(63));
        assertThat(faults)
                .containsExactly(
                        "file:1: Thing one: a.team: found \"%s… (100000 characters)\"; wanted at most 63 characters"
                                .formatted("x".repeat(80)));
    }

    @Test
    void controlCharactersDoNotReachTheTerminal() {
        assertThat(faults("a: \"\\e[31mred\"\n", field -> field.at("a").elements()))
                .containsExactly("file:1: Thing one: a: found \" [31mred\"; wanted a list");
    }

    @Test
    void wholeNumbersKeepTheirBounds() {
        assertThat(faults("a: 0\n", field -> field.at("a").whole(1, 10, 1)))
                .containsExactly(
                        "file:1: Thing one: a: found 0; wanted a whole number from 1 to 10");
        assertThat(faults("a: 1.5\n", field -> field.at("a").whole(1, 10, 1))).hasSize(1);
        assertThat(faults("a: 99999999999999999999\n", field -> field.at("a").whole(1, 10, 1)))
                .hasSize(1);
    }

    @Test
    void timesAreThoseOfTheApi() {
        assertThat(faults("a: yesterday\n", field -> field.at("a").instant()))
                .containsExactly(
                        "file:1: Thing one: a: found \"yesterday\"; wanted a time such as 2026-01-01T00:00:00Z");
    }

    @Test
    void noMoreThanTwentyFaultsAreTold() {
        var yaml = "a:\n" + "- 1\n".repeat(50);
        assertThat(faults(yaml, field -> field.at("a").textList()))
                .hasSize(21)
                .endsWith("and 30 more");
    }
}
