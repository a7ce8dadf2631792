package dev.millwright.testing.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What the charts grant is what API servers saw their processes ask for, verb by verb, in all the
/// tests that ran before: `make test-rights`, the last step of `make test-all`.
final class LeastPrivilege {

    private static final List<UsedRights> SEEN = UsedRights.readAll();
    private static final List<RareRight> RARE = RareRight.all();

    private static final String KWOK = "settings.provider=kwok";
    private static final String STEERING = "settings.steerPods=true";
    private static final String COPYING = "makeBeforeBreak.enabled=true";
    private static final String SPREADING = "settings.schedulerConfig=set";
    private static final String CONVERTING = "webhook.enabled=true";
    private static final String OVERLAYS = "settings.featureGates.nodeOverlay=true";
    private static final String BUFFERS = "settings.featureGates.capacityBuffer=true";
    private static final String SHADOW = "shadow.enabled=true";
    private static final String ONE_NAMESPACE = "namespace=team-a";

    private static final Set<String> NO_SWITCHES = Set.of(KWOK, ONE_NAMESPACE);
    private static final String IN_ONE = ", in a namespace";

    /// A way to install a chart whose rights differ from those of the others.
    enum Setting {
        OPERATOR_ON_EC2(Chart.OPERATOR),
        OPERATOR_ON_KWOK(Chart.OPERATOR, KWOK),
        OPERATOR_THAT_STEERS_PODS(Chart.OPERATOR, STEERING),
        OPERATOR_THAT_COPIES_PODS(Chart.OPERATOR, COPYING),
        OPERATOR_WITH_OVERLAYS(Chart.OPERATOR, OVERLAYS),
        OPERATOR_WITH_BUFFERS(Chart.OPERATOR, BUFFERS),
        OPERATOR_WITH_DEFAULT_SPREAD(Chart.OPERATOR, SPREADING),
        OPERATOR_WITH_WEBHOOK(Chart.OPERATOR, CONVERTING),
        OPERATOR_AS_SHADOW(Chart.OPERATOR, KWOK, SHADOW),
        CAPT(Chart.CAPT),
        CAPT_FOR_ONE_NAMESPACE(Chart.CAPT, ONE_NAMESPACE),
        ADDONS(Chart.ADDONS),
        ADDONS_FOR_ONE_NAMESPACE(Chart.ADDONS, ONE_NAMESPACE);

        private final Chart chart;
        private final List<String> values;

        Setting(Chart chart, String... values) {
            this.chart = chart;
            this.values = List.of(values);
        }

        /// Without a switch, runs without one count. The provider is none, for the operator's own
        /// role is the same with each, nor is the namespace: a manager does the same in one as in
        /// all. A switch may be shown together with others.
        private boolean isShownBy(UsedRights seen) {
            if (seen.chart() != chart
                    || seen.values().contains(SHADOW) != values.contains(SHADOW)) {
                return false;
            }
            return !NO_SWITCHES.containsAll(values) || NO_SWITCHES.containsAll(seen.values());
        }

        /// Which namespaces a right holds in is the difference that this setting makes.
        private String comparable(String right) {
            return values.contains(ONE_NAMESPACE) ? right.replace(IN_ONE, "") : right;
        }
    }

    private static Set<String> granted(Setting setting) {
        var rights = new TreeSet<String>();
        for (var right : Granted.of(setting.chart.render(1, setting.values)).texts()) {
            rights.add(setting.comparable(right));
        }
        return rights;
    }

    private static Set<String> used(Setting setting) {
        var rights = new TreeSet<String>();
        for (var seen : SEEN) {
            if (setting.isShownBy(seen)) {
                seen.used().forEach(right -> rights.add(setting.comparable(right)));
            }
            if (setting.isShownBy(seen) && seen.values().contains(ONE_NAMESPACE)) {
                seen.used().forEach(right -> rights.add(right.replace(IN_ONE, "")));
            }
        }
        return rights;
    }

    private static Set<String> rare(Setting setting) {
        var rights = new TreeSet<String>();
        for (var rare : RARE) {
            if (rare.chart() == setting.chart) {
                rights.add(setting.comparable(rare.right()));
            }
        }
        return rights;
    }

    @ParameterizedTest
    @EnumSource
    void everyRightThatAChartGrantsIsUsed(Setting setting) {
        var unused = granted(setting);
        unused.removeAll(used(setting));
        unused.removeAll(rare(setting));

        assertThat(unused)
                .as(
                        "rights that no test's process of chart %s with %s used; take them from its roles, or name them in rights/rare.tsv with the reason and the test that proves the call",
                        setting.chart.title(), setting.values)
                .isEmpty();
    }

    @Test
    void nothingWasAskedForWithoutARight() {
        assertThat(SEEN)
                .as("no run left what it saw in %s; run make test-all", UsedRights.FOLDER)
                .isNotEmpty()
                .allSatisfy(
                        seen ->
                                assertThat(seen.unlisted())
                                        .as("chart %s with %s", seen.chart().title(), seen.values())
                                        .isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void everyChartSawARun(Chart chart) {
        assertThat(SEEN).anyMatch(seen -> seen.chart() == chart);
    }

    @Test
    void whatIsCalledRareHasAReasonAndATest() {
        assertThat(RARE)
                .allSatisfy(
                        rare -> {
                            assertThat(rare.reason()).isNotBlank();
                            assertThat(rare.hasTest()).as(rare.test()).isTrue();
                        });
    }
}
