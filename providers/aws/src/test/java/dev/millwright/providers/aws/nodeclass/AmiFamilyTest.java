package dev.millwright.providers.aws.nodeclass;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class AmiFamilyTest {

    @ParameterizedTest
    @CsvSource({
        "al2@latest, AL2, latest",
        "al2023@v20240807, AL2023, v20240807",
        "bottlerocket@1.20.0, Bottlerocket, 1.20.0",
        "windows2019@latest, Windows2019, latest",
        "windows2022@latest, Windows2022, latest",
        "windows2025@latest, Windows2025, latest"
    })
    void anAliasNamesFamilyAndVersion(String text, String family, String version) {
        var alias = Alias.parse(text);

        assertThat(alias).isNotNull();
        assertThat(alias.family().text()).isEqualTo(family);
        assertThat(alias.version()).isEqualTo(version);
        assertThat(alias).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "@",
                "al2023",
                "al2023@",
                "@latest",
                "AL2023@latest",
                "custom@latest",
                "ubuntu@latest",
                "windows2022@v1",
                "al2023@v1@x"
            })
    void otherTextsAreNoAlias(String text) {
        assertThat(Alias.parse(text)).isNull();
    }

    @Test
    void aStatedFamilyWinsOverTheAlias() {
        var spec =
                Classes.ofSpec("{amiFamily: Custom, amiSelectorTerms: [{alias: al2@latest}]}")
                        .spec();

        assertThat(spec.family()).isEqualTo(AmiFamily.CUSTOM);
        assertThat(spec.alias()).isEqualTo(new Alias(AmiFamily.AL2, "latest"));
    }

    @ParameterizedTest
    @CsvSource({
        "AL2,          '/dev/xvda 20Gi',                /dev/xvda, true,  true,  true",
        "AL2023,       '/dev/xvda 20Gi',                /dev/xvda, true,  true,  true",
        "BOTTLEROCKET, '/dev/xvda 4Gi, /dev/xvdb 20Gi', /dev/xvdb, false, false, true",
        "CUSTOM,       '',                              ,          true,  true,  true",
        "WINDOWS2019,  '/dev/sda1 50Gi',                /dev/sda1, false, true,  false",
        "WINDOWS2022,  '/dev/sda1 50Gi',                /dev/sda1, false, true,  false",
        "WINDOWS2025,  '/dev/sda1 50Gi',                /dev/sda1, false, true,  false"
    })
    void eachFamilyHasItsDisksAndTraits(
            AmiFamily family,
            String devices,
            String ephemeral,
            boolean isMemoryOverheadByInterfaces,
            boolean isPodsPerCoreHeeded,
            boolean isDensityByInterfaces) {
        assertThat(family.defaultDevices())
                .allSatisfy(
                        device -> {
                            assertThat(device.ebs()).isNotNull();
                            assertThat(device.ebs().isEncrypted()).isTrue();
                            assertThat(device.ebs().volumeType()).isEqualTo("gp3");
                        });
        assertThat(
                        family.defaultDevices().stream()
                                .map(
                                        device ->
                                                device.deviceName()
                                                        + " "
                                                        + device.ebs()
                                                                .volumeSize()
                                                                .toBinaryString())
                                .toList())
                .isEqualTo(devices.isEmpty() ? List.of() : List.of(devices.split(", ")));
        assertThat(family.ephemeralDevice()).isEqualTo(ephemeral);
        assertThat(family.traits())
                .isEqualTo(
                        new AmiFamily.Traits(
                                isMemoryOverheadByInterfaces,
                                isPodsPerCoreHeeded,
                                isDensityByInterfaces));
    }
}
