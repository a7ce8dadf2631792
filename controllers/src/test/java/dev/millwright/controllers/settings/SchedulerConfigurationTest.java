package dev.millwright.controllers.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.SpreadConstraint;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

final class SchedulerConfigurationTest {

    private static final String ZONE = "topology.kubernetes.io/zone";

    private static List<SpreadConstraint> read(String text) {
        return SettingsReader.read(Map.of("scheduler-config", text), Map.of())
                .settings()
                .policies()
                .defaultSpread();
    }

    /// A document with one constraint of these fields.
    private static String constraint(String... fields) {
        return "podTopologySpread:\n  defaultConstraints:\n    - "
                + String.join("\n      ", fields)
                + "\n";
    }

    private static void refused(String text, String... words) {
        assertThatThrownBy(() -> read(text)).hasMessageContainingAll(words);
    }

    @Test
    @Tag("M23")
    void anEmptyTextConfiguresNothing() {
        assertThat(read("")).isEmpty();
    }

    @Test
    @Tag("M24")
    void yamlIsRead() {
        assertThat(
                        read(
                                constraint(
                                        "maxSkew: 1",
                                        "topologyKey: topology.kubernetes.io/zone",
                                        "whenUnsatisfiable: ScheduleAnyway")))
                .containsExactly(SpreadConstraint.of(ZONE, 1, false, null));
    }

    @Test
    @Tag("M25")
    void jsonIsRead() {
        assertThat(
                        read(
                                """
                                {"podTopologySpread": {"defaultConstraints": [
                                  {"maxSkew": 2, "topologyKey": "kubernetes.io/hostname",
                                   "whenUnsatisfiable": "DoNotSchedule"}]}}
                                """))
                .containsExactly(SpreadConstraint.of("kubernetes.io/hostname", 2, true, null));
    }

    @Test
    @Tag("M26")
    void unknownFieldsAreRefused() {
        refused(
                constraint(
                        "maxSkew: 1",
                        "topologyKey: topology.kubernetes.io/zone",
                        "whenUnsatisfiable: ScheduleAnyway",
                        "hello: true"),
                "podTopologySpread.defaultConstraints[0].hello",
                "is unknown");
        refused("podTopologySpreads: {}", "podTopologySpreads", "is unknown");
    }

    @Test
    @Tag("M27")
    void brokenYamlIsRefused() {
        refused("podTopologySpread: [", "--scheduler-config", "is not YAML");
        refused("just words", "wanted a mapping");
    }

    @Test
    @Tag("M28")
    void aSkewBelowOneIsRefused() {
        refused(
                constraint(
                        "maxSkew: 0",
                        "topologyKey: topology.kubernetes.io/zone",
                        "whenUnsatisfiable: DoNotSchedule"),
                "defaultConstraints[0].maxSkew",
                "found 0");
    }

    @Test
    @Tag("M29")
    void aMissingTopologyKeyIsRefused() {
        refused(
                constraint("maxSkew: 1", "whenUnsatisfiable: DoNotSchedule"),
                "defaultConstraints[0].topologyKey",
                "is missing");
    }

    @Test
    @Tag("M30")
    void aLabelSelectorIsRefused() {
        refused(
                constraint(
                        "maxSkew: 1",
                        "topologyKey: topology.kubernetes.io/zone",
                        "whenUnsatisfiable: DoNotSchedule",
                        "labelSelector: {matchLabels: {app: web}}"),
                "defaultConstraints[0].labelSelector",
                "must not be set");
    }

    @Test
    @Tag("M31")
    void matchLabelKeysAreRefused() {
        refused(
                constraint(
                        "maxSkew: 1",
                        "topologyKey: topology.kubernetes.io/zone",
                        "whenUnsatisfiable: DoNotSchedule",
                        "matchLabelKeys: [pod-template-hash]"),
                "defaultConstraints[0].matchLabelKeys",
                "must not be set");
    }

    @Test
    @Tag("M32")
    void aTopologyKeyThatIsNoLabelKeyIsRefused() {
        refused(
                constraint(
                        "maxSkew: 1",
                        "topologyKey: not a/valid/key",
                        "whenUnsatisfiable: DoNotSchedule"),
                "found \"not a/valid/key\"");
    }

    @Test
    @Tag("M33")
    void theSamePairTwiceIsRefused() {
        refused(
                "{podTopologySpread: {defaultConstraints: ["
                        + "{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule},"
                        + "{maxSkew: 2, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}}",
                "defaultConstraints[1]",
                "repeats (a, DoNotSchedule) of [0]");
    }

    @Test
    @Tag("M34")
    void theSameKeyMayBeHardAndSoft() {
        assertThat(
                        read(
                                "{podTopologySpread: {defaultConstraints: ["
                                        + "{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule},"
                                        + "{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway}]}}"))
                .containsExactly(
                        SpreadConstraint.of("a", 1, true, null),
                        SpreadConstraint.of("a", 1, false, null));
    }

    @Test
    @Tag("M35")
    void anythingElseWhenUnsatisfiableIsRefused() {
        refused(
                constraint("maxSkew: 1", "topologyKey: a", "whenUnsatisfiable: Sometimes"),
                "defaultConstraints[0].whenUnsatisfiable",
                "found \"Sometimes\"");
    }
}
