package dev.millwright.addons.object;

import dev.millwright.kube.document.Field;

import java.time.Duration;

/// How Helm is to work, every default filled in. What a user wrote is kept, also `false` and `0`.
///
/// `enableClientCache` and `install.includeCRDs` are not among them: Helm's command keeps its cache
/// anyway, and always installs the definitions of a chart that are not skipped.
public record HelmOptions(
        boolean disablesHooks,
        boolean waits,
        boolean waitsForJobs,
        boolean updatesDependencies,
        Duration timeout,
        boolean skipsDefinitions,
        boolean rendersSubchartNotes,
        boolean disablesValidation,
        boolean isAtomic,
        boolean takesOwnership,
        Install install,
        Upgrade upgrade,
        Uninstall uninstall) {

    public record Install(boolean createsNamespace) {}

    /// @param historyMax revisions that are kept; 0 keeps all
    public record Upgrade(
            boolean forces,
            boolean resetsValues,
            boolean reusesValues,
            boolean resetsThenReusesValues,
            boolean recreatesPods,
            int historyMax,
            boolean cleansUpOnFail) {

        /// Whether the release's values are those that were given, and nothing older.
        public boolean keepsOldValues() {
            return reusesValues || resetsThenReusesValues;
        }
    }

    public record Uninstall(boolean keepsHistory, String description) {}

    private static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(10);
    private static final int HISTORY_DEFAULT = 10;
    private static final int HISTORY_MOST = 10_000;

    public static HelmOptions of(Field options) {
        var isAtomic = options.at("atomic").isTrue();
        return new HelmOptions(
                options.at("disableHooks").isTrue(),
                isAtomic || options.at("wait").isTrue(),
                options.at("waitForJobs").isTrue(),
                options.at("dependencyUpdate").isTrue(),
                timeout(options.at("timeout")),
                options.at("skipCRDs").isTrue(),
                options.at("options").isTrue() || options.at("subNotes").isTrue(),
                options.at("disableOpenAPIValidation").isTrue(),
                isAtomic,
                options.at("takeOwnership").isTrue(),
                new Install(isTrueUnlessSaid(options.at("install").at("createNamespace"))),
                upgrade(options.at("upgrade")),
                new Uninstall(
                        options.at("uninstall").at("keepHistory").isTrue(),
                        options.at("uninstall").at("description").text("")));
    }

    private static Upgrade upgrade(Field upgrade) {
        return new Upgrade(
                upgrade.at("force").isTrue(),
                upgrade.at("resetValues").isTrue(),
                upgrade.at("reuseValues").isTrue(),
                upgrade.at("resetThenReuseValues").isTrue(),
                upgrade.at("recreate").isTrue(),
                upgrade.at("maxHistory").whole(0, HISTORY_MOST, HISTORY_DEFAULT),
                upgrade.at("cleanupOnFail").isTrue());
    }

    private static boolean isTrueUnlessSaid(Field field) {
        return !field.isPresent() || field.isTrue();
    }

    private static Duration timeout(Field field) {
        var text = field.text();
        var read = text == null ? null : GoDurations.read(text);
        return read == null ? TIMEOUT_DEFAULT : read;
    }
}
