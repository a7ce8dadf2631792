package dev.millwright.providers.aws.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.KubeletConfiguration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// User data of every family, letter by letter.
class UserDataTest {

    @ParameterizedTest
    @CsvSource({
        "AL2, al2-bare.txt",
        "AL2023, al2023-bare.txt",
        "BOTTLEROCKET, bottlerocket-bare.toml",
        "WINDOWS2022, windows-bare.txt"
    })
    void aClassThatSaysNothingStartsItsKubeletWithTheLeast(AmiFamily family, String golden) {
        assertThat(Inputs.text(UserData.of(family, Inputs.bare(family))))
                .isEqualTo(Inputs.resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "AL2, al2-custom.sh, al2-whole.txt",
        "AL2023, , al2023-whole.txt",
        "BOTTLEROCKET, bottlerocket-custom.toml, bottlerocket-whole.toml",
        "WINDOWS2022, windows-custom.ps1, windows-whole.txt"
    })
    void aClassThatSaysAllIsWrittenInFull(
            AmiFamily family, @Nullable String custom, String golden) {
        var input = Inputs.whole(family, custom == null ? null : Inputs.resource(custom));

        assertThat(Inputs.text(UserData.of(family, input))).isEqualTo(Inputs.resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "AL2, custom-mime.txt, al2-custom-mime.txt",
        "AL2023, custom-mime.txt, al2023-custom-mime.txt",
        "AL2023, al2023-custom.yaml, al2023-custom-yaml.txt",
        "AL2023, al2-custom.sh, al2023-custom-shell.txt"
    })
    void theClasssOwnUserDataStandsBeforeOurs(AmiFamily family, String custom, String golden) {
        var input = Inputs.bare(family, Inputs.resource(custom));

        assertThat(Inputs.text(UserData.of(family, input))).isEqualTo(Inputs.resource(golden));
    }

    @Test
    void anAddressOfSixteenBytesMakesTheClusterOne() {
        var input =
                Inputs.with(
                        Inputs.bare(AmiFamily.AL2),
                        KubeletConfiguration.NONE.resolved(29, "fd00:ec2::a"));

        assertThat(Inputs.text(UserData.of(AmiFamily.AL2, input)))
                .contains(" \\\n--ip-family ipv6 \\\n--dns-cluster-ip 'fd00:ec2::a' \\\n");
    }

    @Test
    void customUserDataIsPassedOnAsItIs() {
        var odd = "MIME-Version: none\r\n\u00e4 \"quoted\"";

        assertThat(UserData.of(AmiFamily.CUSTOM, Inputs.whole(AmiFamily.CUSTOM, odd)))
                .isEqualTo(new UserData.Written(odd));
        assertThat(UserData.of(AmiFamily.CUSTOM, Inputs.bare(AmiFamily.CUSTOM)))
                .isEqualTo(new UserData.Written(""));
    }

    @Test
    void userDataIsEncodedAndItsBytesAreCounted() {
        var written = new UserData.Written("\u00e4b");

        assertThat(written.byteCount()).isEqualTo(3);
        assertThat(new String(Base64.getDecoder().decode(written.base64()), StandardCharsets.UTF_8))
                .isEqualTo("\u00e4b");
    }
}
