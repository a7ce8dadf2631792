package dev.millwright.dashboard.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionReaderTest {

    @Test
    void eachActionIsRead() {
        assertThat(
                        ActionReader.read(
                                "{\"action\":\"addPods\",\"count\":3,\"cpuMillis\":500,\"memoryMebibytes\":64}"))
                .isEqualTo(new Action.AddPods(3, 500, 64));
        assertThat(
                        ActionReader.read(
                                " { \"action\" : \"scale\", \"deployment\":\"a\\/\\u0062\", \"replicas\": 0 } "))
                .isEqualTo(new Action.Scale("a/b", 0));
        assertThat(ActionReader.read("{\"action\":\"interrupt\",\"node\":\"n\"}"))
                .isEqualTo(new Action.Interrupt("n"));
        assertThat(ActionReader.read("{\"action\":\"freeze\",\"isFrozen\":true}"))
                .isEqualTo(new Action.Freeze(true));
        assertThat(ActionReader.read("{\"action\":\"pause\",\"isPaused\":false}"))
                .isEqualTo(new Action.Pause(false));
        assertThat(ActionReader.read("{\"action\":\"speed\",\"speed\":1.5e1}"))
                .isEqualTo(new Action.Speed(15));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{} ~ action: found nothing; wanted a text",
                "{\"action\":\"shout\"} ~ action: found \"shout\"; wanted addPods, scale, interrupt, freeze, pause or speed",
                "{\"action\":\"scale\",\"deployment\":\"a\"} ~ replicas: found nothing; wanted a number",
                "{\"action\":\"scale\",\"deployment\":\"a\",\"replicas\":1.5} ~ replicas: found 1.5; wanted a whole number",
                "{\"action\":\"scale\",\"deployment\":\"a\",\"replicas\":-1} ~ replicas: found -1; wanted a whole number from 0 to 5000",
                "{\"action\":\"freeze\",\"isFrozen\":\"yes\"} ~ isFrozen: found yes; wanted true or false",
                "{\"action\":\"pause\",\"isPaused\":true,\"until\":5} ~ until: is no field of this action; wanted isPaused",
                "{\"action\":\"speed\",\"speed\":1e9} ~ speed: found 1.0E9; wanted a number from 0.1 to 3600.0",
                "{\"action\":\"addPods\",\"count\":1e30,\"cpuMillis\":1,\"memoryMebibytes\":1} ~ count: found 1.0E30; wanted a whole number",
            })
    void whatIsWrongIsNamed(String body, String message) {
        assertThatThrownBy(() -> ActionReader.read(body))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "`` ~ 1",
                "[] ~ 1",
                "{\"a\" ~ 5",
                "{\"a\":null} ~ 6",
                "{\"a\":{}} ~ 6",
                "{\"a\":1,\"a\":2} ~ 13",
                "{\"a\":1} x ~ 9",
                "{\"a\":\"\\q\"} ~ 9",
                "{\"a\":\"\\u12\"} ~ 9",
                "{\"a\":\"open ~ 11",
                "{\"a\":tru} ~ 6",
                "{\"a\":1,} ~ 8",
            })
    void whatIsNoFlatJsonIsRefusedWithItsPlace(String body, int place) {
        assertThatThrownBy(() -> ActionReader.read(body))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at character %d,".formatted(place));
    }
}
