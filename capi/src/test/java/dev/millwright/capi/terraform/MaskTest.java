package dev.millwright.capi.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class MaskTest {

    @Test
    void valuesInsideAFileOfCredentialsAreHidden() {
        var mask =
                Mask.of(
                        List.of(
                                "[default]\naws_access_key_id = abcdefgh\naws_secret_access_key = zyxw/vuts\n"));
        assertThat(mask.without("key abcdefgh, secret zyxw/vuts!"))
                .isEqualTo("key (hidden), secret (hidden)!");
    }

    @Test
    void valuesInsideJsonAndHclAreHidden() {
        var mask = Mask.of(List.of("{\"password\": \"from json\"}", "token = \"from hcl\""));
        assertThat(mask.without("from json and from hcl")).isEqualTo("(hidden) and (hidden)");
    }

    @Test
    void whatLooksLikeASecretIsHiddenWithoutBeingTold() {
        var mask = Mask.of(List.of());
        assertThat(mask.without("AKIAABCDEFGHIJKLMNOP")).isEqualTo("(hidden)");
        assertThat(mask.without("https://me:pass@host/x")).isEqualTo("https://(hidden)@host/x");
        assertThat(mask.without("password=hunter2 failed")).isEqualTo("password=(hidden) failed");
    }

    @Test
    void wordsThatAreNoSecretsStay() {
        assertThat(Mask.of(List.of("a = true\nb = 1")).without("it is true that 1 is one"))
                .isEqualTo("it is true that 1 is one");
    }
}
