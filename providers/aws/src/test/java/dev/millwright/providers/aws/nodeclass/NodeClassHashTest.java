package dev.millwright.providers.aws.nodeclass;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.stream.Stream;

class NodeClassHashTest {

    private static final String CA = "test-ca-bundle";
    private static final String BASE = Classes.resource("hash-base.json");

    /// Values of Karpenter's next release, whose recipe differs in where the kubelet's part is:
    /// what they prove is the rest of it.
    @ParameterizedTest(quoteTextArguments = false)
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            textBlock =
                    """
                    {}                                                           | 11148166120438674859
                    {"userData": "userdata-test-2"}                              | 11774429238106843388
                    {"context": "context-2"}                                     | 2279761750428738028
                    {"detailedMonitoring": true}                                 | 1936848126751988570
                    {"instanceStorePolicy": "RAID0"}                             | 16697988646989909967
                    {"role": null, "instanceProfile": "test-instance-profile"}   | 10323991363677716244
                    {"connectionTracking": {"tcpEstablishedTimeout": 300}}       | 1619669030802245540
                    {"cpuOptions": {"nestedVirtualization": "enabled"}}          | 6157846767212910604
                    """)
    void theRecipeGivesKarpentersPublishedValues(String patch, String hash) {
        var changed = Classes.ofSpec(BASE, patch);

        assertThat(NodeClassHash.withKubeletApart(changed, CA, "null")).isEqualTo(hash);
    }

    @Test
    void theRecipeGivesKarpentersPublishedValueForALargerVolume() {
        var larger = Classes.ofSpec(BASE.replace("\"2G\"", "\"10G\""));

        assertThat(NodeClassHash.withKubeletApart(larger, CA, "null"))
                .isEqualTo("10372902467896351912");
    }

    @Test
    void theHashOfThisReleaseIsKarpenters() {
        assertThat(NodeClassHash.of(Classes.ofSpec(BASE), CA)).isEqualTo("2608468723537941485");
    }

    /// The file's values come from Karpenter's own hash library over types of the same shape.
    @TestFactory
    Stream<DynamicTest> eachFieldHasTheHashThatGoGivesIt() {
        return Classes.resource("hash-v5.tsv")
                .lines()
                .skip(1)
                .map(line -> List.of(line.split("\t")))
                .map(
                        row ->
                                DynamicTest.dynamicTest(
                                        row.getFirst(),
                                        () ->
                                                assertThat(
                                                                NodeClassHash.of(
                                                                        Classes.ofSpec(
                                                                                BASE, row.get(1)),
                                                                        CA))
                                                        .isEqualTo(row.get(2))));
    }

    @Test
    void anAliasHashesAsItsFamily() {
        var stated =
                Classes.ofSpec(
                        "{amiFamily: AL2023, amiSelectorTerms: [{alias: al2023@latest}], role: r}");
        var implied = Classes.ofSpec("{amiSelectorTerms: [{alias: al2023@latest}], role: r}");

        assertThat(NodeClassHash.of(implied, CA)).isEqualTo(NodeClassHash.of(stated, CA));
    }

    @Test
    void anotherAuthorityOfTheClusterChangesTheHash() {
        var base = Classes.ofSpec(BASE);

        assertThat(NodeClassHash.of(base, "rotated")).isNotEqualTo(NodeClassHash.of(base, CA));
    }

    @Test
    void aFieldOfTheWrongKindIsAsIfLeftOut() {
        var odd = Classes.ofSpec(BASE, "{\"instanceStorePolicy\": [1], \"kubelet\": 7}");

        assertThat(NodeClassHash.of(odd, CA)).isEqualTo("2608468723537941485");
    }
}
