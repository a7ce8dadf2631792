package dev.millwright.providers.aws.bootstrap.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TomlTest {

    private static String json(String toml) throws TomlException {
        return JsonWriter.text(TomlReader.read(toml));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    a = 1                             | {"a":1}
                    a = "b" # comment                 | {"a":"b"}
                    a.b.c = true                      | {"a":{"b":{"c":true}}}
                    a . "b.c" . 'd"e' = 1             | {"a":{"b.c":{"d\\"e":1}}}
                    "" = 1                            | {"":1}
                    3.14 = 1                          | {"3":{"14":1}}
                    a = "tab\\tquote\\" \\u00e4"      | {"a":"tab\\tquote\\" ä"}
                    a = 'C:\\no\\escape'              | {"a":"C:\\\\no\\\\escape"}
                    a = [1, 2,]                       | {"a":[1,2]}
                    a = [[1], ["x", {b = 2}]]         | {"a":[[1],["x",{"b":2}]]}
                    a = {}                            | {"a":{}}
                    a = { b = 1, c.d = "x" }          | {"a":{"b":1,"c":{"d":"x"}}}
                    """)
    void valuesOfOneLineAreRead(String toml, String json) throws TomlException {
        assertThat(json(toml)).isEqualTo(json);
    }

    @Test
    void tablesAreReadWhereverTheyStand() throws TomlException {
        var toml =
                """
                top = 1
                [a.b]   # implies a
                x = 1
                [a]
                y = 2
                [a.b.c]
                z = 3
                [[d]]
                n = 1
                [[d.e]]
                m = 1
                [d.f]
                k = 1
                [[d]]
                [ "quoted key" ]
                """;

        assertThat(json(toml))
                .isEqualTo(
                        "{\"top\":1,\"a\":{\"b\":{\"x\":1,\"c\":{\"z\":3}},\"y\":2},"
                                + "\"d\":[{\"n\":1,\"e\":[{\"m\":1}],\"f\":{\"k\":1}},{}],"
                                + "\"quoted key\":{}}");
    }

    @Test
    void textsOfSeveralLinesAreRead() throws TomlException {
        var toml =
                "a = \"\"\"\nfirst \\\n   still \\u0031\r\nnext \"quoted\"\"\"\"\n"
                        + "b = '''raw \\n\n''two'' '''\nc = \"\"\"\"\"\"\n";

        assertThat(json(toml))
                .isEqualTo(
                        "{\"a\":\"first still 1\\nnext \\\"quoted\\\"\",\"b\":\"raw \\\\n\\n''two'' \",\"c\":\"\"}");
    }

    @Test
    void arraysMaySpanLinesWithComments() throws TomlException {
        assertThat(json("a = [ # one\n  1, # two\n\n  2\n]\nb = 3"))
                .isEqualTo("{\"a\":[1,2],\"b\":3}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-17",
                "+1",
                "1_000",
                "0xDEAD_beef",
                "0o755",
                "0b1101",
                "1.5",
                "-0.01",
                "5e+22",
                "1e06",
                "6.626e-34",
                "inf",
                "-nan",
                "1979-05-27T07:32:00Z",
                "1979-05-27T00:32:00.999999-07:00",
                "1979-05-27 07:32:00",
                "1979-05-27",
                "07:32:00"
            })
    void numbersAndDatesAreWrittenAsTheyWereRead(String word) throws TomlException {
        var toml = "a = " + word + "\n";

        assertThat(TomlText.of(TomlReader.read(toml))).isEqualTo(toml);
    }

    @Test
    void whatIsWrittenReadsTheSame() throws TomlException {
        var toml =
                """
                [settings]
                motd = "a \\"b\\" \\\\ \\n \\t \\u0001 ä"
                [settings.host-containers.admin]
                enabled = true
                user-data = '''x'''
                [settings.kubernetes.node-labels]
                "karpenter.sh/nodepool" = "default"
                [settings.empty]
                [[settings.list]]
                a = [1, [2, "x"], { b = { c = 1 } }]
                [[settings.list]]
                """;
        var read = TomlReader.read(toml);
        var written = TomlText.of(read);

        assertThat(sorted(TomlReader.read(written))).isEqualTo(sorted(read));
        assertThat(TomlText.of(TomlReader.read(written))).isEqualTo(written);
    }

    private static String sorted(Value.Mapping mapping) {
        return TomlText.of(mapping) + JsonWriter.text(mapping).length();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    a                       | line 1: found the end; wanted = and a value
                    a =                     | line 1: found the end; wanted a value
                    = 1                     | line 1: found "="; wanted a key
                    a = 1 b = 2             | line 1: found "b"; wanted the end of the line
                    a = b                   | line 1: found b; wanted a value, and text in quotes
                    a = 01                  | line 1: found 01; wanted a value
                    a = 1__0                | line 1: found 1__0; wanted a value
                    a = 1.                  | line 1: found 1.; wanted a value
                    a = "b                  | line 1: found the end; wanted the closing "
                    a = "\\x"               | line 1: found \\x; wanted one of
                    a = "\\ud800"           | line 1: found \\ud800; wanted the 4 digits
                    a = '''b                | line 1: found the end; wanted the closing '''
                    a = [1 2]               | line 1: found "2"; wanted a comma or ]
                    a = [1                  | line 1: found the end; wanted a comma or ]
                    a = {b = 1              | line 1: found the end; wanted a comma or }
                    [a                      | line 1: found the end; wanted the end of a table's name
                    [a]]                    | line 1: found "]"; wanted the end of the line
                    []                      | line 1: found "]"; wanted a key
                    a = 1;a = 2             | line 2: a is already there
                    a = 1;a.b = 2           | line 2: a.b is already there
                    a = {b = 1};[a.c]       | line 2: a is already there
                    [a];[a]                 | line 2: a is already there
                    a.b = 1;[a]             | line 2: a is already there
                    [a];[[a]]               | line 2: a is already there
                    [[a]];[a]               | line 2: a is already there
                    a = [1];[[a]]           | line 2: a is already there
                    [a.b];x=1;[a];b.y = 1   | line 4: b.y is already there
                    """)
    void whatIsNoTomlIsToldWithItsLine(String toml, String problem) {
        assertThatExceptionOfType(TomlException.class)
                .isThrownBy(() -> TomlReader.read(toml.replace(";", "\n")))
                .withMessageContaining(problem);
    }

    @Test
    void depthIsBounded() {
        assertThatExceptionOfType(TomlException.class)
                .isThrownBy(() -> TomlReader.read("a = " + "[".repeat(10_000)))
                .withMessageContaining("more than 50 values in one another");
    }

    @Test
    void aControlCharacterIsRefused() {
        assertThatExceptionOfType(TomlException.class)
                .isThrownBy(() -> TomlReader.read("a = \"\u0001\""))
                .withMessageContaining("control character");
        assertThatExceptionOfType(TomlException.class)
                .isThrownBy(() -> TomlReader.read("# \u0001"))
                .withMessageContaining("control character");
    }
}
