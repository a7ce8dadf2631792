package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import picocli.CommandLine.TypeConversionException;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;

class TextTest {

    @Test
    void durationsAddUp() {
        assertThat(new DurationText().convert("1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(new DurationText().convert("250ms")).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aDurationHasAUnit() {
        assertThatThrownBy(() -> new DurationText().convert("5"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("found \"5\"; wanted a duration such as 500ms, 5s or 10m");
    }

    @Test
    void smallPricesKeepTheirDigits() {
        assertThat(Money.perHour(0.0345)).isEqualTo("0.0345");
        assertThat(Money.perHour(1234.567)).isEqualTo("1,234.57");
        assertThat(Money.perMonth(0.1)).isEqualTo("73.00");
        assertThat(Money.perMonth(351.57)).isEqualTo("256,646");
    }

    @Test
    void barsStayWithinTheirCells() {
        assertThat(new Fill(true, false).bar(0)).isEqualTo("··········   0%");
        assertThat(new Fill(true, false).bar(1)).isEqualTo("██████████ 100%");
        assertThat(new Fill(true, false).bar(0.333)).isEqualTo("███▍······  33%");
        assertThat(new Fill(false, false).bar(1.2)).isEqualTo("########## 120%");
    }

    @Test
    void coloursDoNotDisturbColumns() {
        var table = new TextTable(List.of(TextTable.left("A"), TextTable.right("B")));
        table.row("\u001b[32mlong\u001b[0m", "1");
        table.row("x", "22");
        var text = new StringWriter();
        var out = new PrintWriter(text);
        table.print(out);
        out.flush();
        assertThat(text.toString()).isEqualTo("A      B\n\u001b[32mlong\u001b[0m   1\nx     22\n");
    }

    @Test
    void numbersAreWrittenWithoutTheNoiseOfSums() {
        assertThat(ResultText.number(0.1 + 0.2)).hasToString("0.3");
        assertThat(ResultText.number(1500)).hasToString("1500");
    }
}
