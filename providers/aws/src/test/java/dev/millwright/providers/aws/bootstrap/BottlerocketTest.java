package dev.millwright.providers.aws.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.Classes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BottlerocketTest {

    @Test
    void anUnknownSettingIsLeftOutWithANote() {
        var custom = "[settings.kubernetes]\nunheard-of = 1\nlog-level = 3\n";

        var userData = UserData.of(AmiFamily.BOTTLEROCKET, bare(custom));

        assertThat(userData).isInstanceOf(UserData.Written.class);
        assertThat(((UserData.Written) userData).notes())
                .containsExactly("line 2: settings.kubernetes.unheard-of is unknown and left out");
        assertThat(Inputs.text(userData)).contains("log-level = 3").doesNotContain("unheard-of");
    }

    @ParameterizedTest
    @CsvSource({
        "max-pods = \"many\", a whole number",
        "max-pods = 1.5, a whole number",
        "cluster-domain = 7, text",
        "seccomp-default = 'yes', true or false",
        "allowed-unsafe-sysctls = [1], a list of texts",
        "node-labels = { a = 1 }, a table of texts",
        "static-pods = { a = 1 }, a table of tables",
        "node-taints = [], a table"
    })
    void aSettingOfTheWrongKindIsTold(String setting, String wanted) {
        var userData =
                UserData.of(
                        AmiFamily.BOTTLEROCKET, bare("[settings.kubernetes]\n" + setting + "\n"));

        assertThat(Inputs.text(userData))
                .startsWith("invalid: userData: line 2: settings.kubernetes.")
                .endsWith("wanted " + wanted);
    }

    @ParameterizedTest
    @CsvSource({
        "settings = 1, 'userData: line 1: settings is the number 1; wanted a table'",
        "settings.kubernetes = 1, 'userData: line 1: settings.kubernetes is the number 1; wanted a table'",
        "[settings, 'userData is no TOML: line 1: found the end; wanted the end of a table''s name'"
    })
    void whatIsNoSettingsIsTold(String custom, String problem) {
        assertThat(UserData.of(AmiFamily.BOTTLEROCKET, bare(custom)))
                .isEqualTo(new UserData.Invalid(problem));
    }

    private static BootstrapInput bare(String custom) {
        return Inputs.bare(AmiFamily.BOTTLEROCKET, custom);
    }

    @ParameterizedTest
    @CsvSource({
        "v1.45.9, false",
        "v1.46.0, true",
        "1.46.0, true",
        "1.100.0, true",
        "2.0.0, true",
        "v1.46, false",
        "latest, true",
        "unheard.of.x, false",
        ", false"
    })
    void sinceVersion146TheImageKnowsItsDirectories(String version, boolean isKnowing) {
        assertThat(BottlerocketVersion.isKnowingItsDirectories(version)).isEqualTo(isKnowing);
    }

    @ParameterizedTest
    @CsvSource({
        "'{alias: bottlerocket@v1.20.0}', v1.20.0",
        "'{alias: bottlerocket@latest}', latest",
        "'{name: bottlerocket-aws-k8s-1.33-x86_64-v1.46.0-431fe75a}', v1.46.0",
        "'{id: ami-2}', v1.30.0",
        "'{id: ami-9}', v1.40.0",
        "'{name: mine-*}', v1.40.0",
        "'{tags: {a: b}}', v1.40.0"
    })
    void theVersionIsTakenFromWhatTellsItFirst(String term, String version) {
        var nodeClass =
                Classes.read(
                        """
                        metadata: {name: default}
                        spec: {amiSelectorTerms: [%s]}
                        status:
                          amis:
                            - {id: ami-0, name: mine-v1.99.0}
                            - {id: ami-1, name: bottlerocket-aws-k8s-1.33-x86_64-v1.40.0-1}
                            - {id: ami-2, name: bottlerocket-aws-k8s-1.33-arm64-v1.30.0-1}
                        """
                                .formatted(term));

        assertThat(
                        BottlerocketVersion.of(
                                nodeClass.spec().amiSelectorTerms(), nodeClass.status().amis()))
                .isEqualTo(version);
    }
}
