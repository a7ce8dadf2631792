package dev.millwright.providers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.spi.ec2.CatalogueFormatException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class CatalogueFormatTest {

    private static final String ZONES = "zone,zone_id\nus-east-1a,use1-az2\n";

    private String header = "";
    private String good = "";

    @BeforeEach
    void takeTheFirstTypeOfTheRealFile() throws IOException {
        try (var stream = Ec2Catalogue.class.getResourceAsStream("ec2-us-east-1.csv")) {
            var lines =
                    new String(stream.readAllBytes(), StandardCharsets.US_ASCII)
                            .lines()
                            .limit(2)
                            .toList();
            header = lines.getFirst();
            good = lines.getLast();
        }
    }

    private static Ec2Catalogue parse(String... lines) {
        return Ec2Catalogue.parse(String.join("\n", lines) + "\n", ZONES);
    }

    private String goodWith(String column, String value) {
        var fields = new ArrayList<>(List.of(good.split(",", -1)));
        fields.set(List.of(header.split(",", -1)).indexOf(column), value);
        return String.join(",", fields);
    }

    @Test
    void aGoodLineIsRead() {
        assertThat(parse(header, good).instanceTypes(onlyZone())).hasSize(1);
    }

    private static Ec2Settings onlyZone() {
        return Ec2Settings.DEFAULT.withZones(List.of("us-east-1a"));
    }

    @Test
    void aBrokenNumberIsToldByLineAndColumnAndHowToMendIt() {
        assertThatThrownBy(() -> parse(header, good, goodWith("vcpus", "many")))
                .isInstanceOf(CatalogueFormatException.class)
                .hasMessage(
                        "ec2-us-east-1.csv line 3, column vcpus: found \"many\", wanted a whole"
                                + " number; make the file again with"
                                + " providers/sim/tools/catalogue.py");
    }

    @Test
    void aNegativeNumberIsNotACount() {
        assertThatThrownBy(() -> parse(header, goodWith("memory_mib", "-1")))
                .hasMessageContaining("line 2, column memory_mib: found \"-1\"");
    }

    @Test
    void aBrokenPriceIsToldByLineAndColumn() {
        assertThatThrownBy(() -> parse(header, goodWith("us-east-1a", "cheap")))
                .hasMessageContaining(
                        "line 2, column us-east-1a: found \"cheap\", wanted a price above zero");
    }

    @Test
    void aPriceOfNothingIsNotAPrice() {
        assertThatThrownBy(() -> parse(header, goodWith("on_demand_usd_per_hour", "0")))
                .hasMessageContaining("line 2, column on_demand_usd_per_hour: found \"0\"");
    }

    @Test
    void aBrokenFlagIsToldByLineAndColumn() {
        assertThatThrownBy(() -> parse(header, goodWith("local_storage_nvme", "yes")))
                .hasMessageContaining(
                        "line 2, column local_storage_nvme: found \"yes\", wanted true or false");
    }

    @Test
    void aBrokenListIsToldByLineAndColumn() {
        assertThatThrownBy(() -> parse(header, goodWith("interfaces_per_card", "4|x")))
                .hasMessageContaining("line 2, column interfaces_per_card: found \"4|x\"");
    }

    @Test
    void aMissingNameIsToldByLineAndColumn() {
        assertThatThrownBy(() -> parse(header, goodWith("type", "")))
                .hasMessageContaining("line 2, column type: found \"\", wanted a value");
    }

    @Test
    void aLineCutShortIsToldByTheFirstColumnItLacks() {
        assertThatThrownBy(() -> parse(header, "m5.large,x86_64"))
                .hasMessageContaining("line 2, column cpu_manufacturer: found 2 fields, wanted 50");
    }

    @Test
    void aLineWithFieldsToSpareIsTold() {
        assertThatThrownBy(() -> parse(header, good + ",more"))
                .hasMessageContaining("line 2, column us-east-1f: found 51 fields, wanted 50");
    }

    @Test
    void aMissingColumnIsToldByItsName() {
        assertThatThrownBy(() -> parse(header.replace(",vcpus,", ",cpus,"), good))
                .hasMessageContaining("line 1, column vcpus: not found in the header");
    }

    @Test
    void aColumnNamedTwiceIsTold() {
        assertThatThrownBy(() -> parse(header.replace(",vcpus,", ",cores,"), good))
                .hasMessageContaining("line 1, column cores: found twice, wanted once");
    }

    @Test
    void aTypeListedTwiceIsTold() {
        assertThatThrownBy(() -> parse(header, good, good))
                .hasMessageContaining(
                        "line 3, column type: found \"a1.2xlarge\", wanted each type once");
    }

    @Test
    void anEmptyFileIsNoCatalogue() {
        assertThatThrownBy(() -> Ec2Catalogue.parse("", ZONES))
                .hasMessageContaining("wanted 1 to 20000 lines");
    }

    @Test
    void settingsRefuseWhatCannotBe() {
        assertThatThrownBy(() -> Ec2Settings.DEFAULT.withZones(List.of()))
                .hasMessageContaining("zones are empty");
        assertThatThrownBy(() -> Ec2Settings.DEFAULT.withReservedInterfaces(-1))
                .hasMessageContaining("reserved interfaces -1");
        assertThatThrownBy(() -> Ec2Settings.DEFAULT.withMemoryOverhead(BigDecimal.ONE))
                .hasMessageContaining("memory overhead 1 must be at least 0 and below 1");
        assertThatThrownBy(() -> Ec2Settings.DEFAULT.withPodsMax(-1))
                .hasMessageContaining("maxPods -1");
    }
}
