package dev.millwright.cli.addons;

import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.addons.port.HelmRuns.Deployment;
import dev.millwright.addons.port.HelmRuns.Run;
import dev.millwright.addons.port.ReleaseId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A run of Helm that would be made.
///
/// @param chart the chart's name
/// @param versionBefore empty where nothing is deployed, or nobody could say what
/// @param versionAfter empty where nothing will be
/// @param why as the release proxy's condition would say it
public record AddonsChange(
        Action action,
        String proxy,
        String cluster,
        ReleaseId release,
        String chart,
        String versionBefore,
        String versionAfter,
        String why,
        List<ValuesDiff.Line> values) {

    public enum Action {
        INSTALL("install"),
        UPGRADE("upgrade"),
        GIVE_UP("give up"),
        UNINSTALL("uninstall");

        private final String word;

        Action(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    private static final String UPGRADES = "Helm upgrades it: ";

    public AddonsChange {
        values = List.copyOf(values);
    }

    /// What would still not be as it is wanted.
    ///
    /// @param cluster empty where it concerns the proxy as such
    public record Held(String proxy, String cluster, String reason, String message) {

        static Held of(ReleaseProxy proxy) {
            for (var type :
                    List.of(AddonConditions.CLUSTER_AVAILABLE, AddonConditions.RELEASE_READY)) {
                var condition = proxy.conditions().find(type);
                if (condition != null && !condition.isTrue()) {
                    return new Held(
                            proxy.chartProxy(),
                            proxy.cluster().name(),
                            condition.reason(),
                            condition.message());
                }
            }
            return new Held(proxy.chartProxy(), proxy.cluster().name(), "", "");
        }
    }

    static AddonsChange of(DraftReleases.Noted noted, String condition) {
        var proxy = noted.run().proxy();
        var deployment = deployment(noted.run());
        return new AddonsChange(
                action(noted.run()),
                proxy.chartProxy(),
                proxy.cluster().name(),
                new ReleaseId(proxy.namespace(), proxy.releaseName()),
                proxy.source().chart(),
                noted.contents() == null ? "" : noted.contents().chartVersion(),
                deployment == null ? "" : deployment.version(),
                why(noted.run(), condition),
                deployment == null ? List.of() : values(proxy, noted.contents(), deployment));
    }

    private static Action action(Run run) {
        return switch (run) {
            case Run.Install _ -> Action.INSTALL;
            case Run.Upgrade _ -> Action.UPGRADE;
            case Run.GiveUp _ -> Action.GIVE_UP;
            case Run.Uninstall _ -> Action.UNINSTALL;
            case Run.Inspect _ -> throw new IllegalArgumentException("looking changes nothing");
        };
    }

    private static @Nullable Deployment deployment(Run run) {
        return switch (run) {
            case Run.Install(_, var deployment, _) -> deployment;
            case Run.Upgrade(_, var deployment) -> deployment;
            case Run.GiveUp _, Run.Uninstall _, Run.Inspect _ -> null;
        };
    }

    private static String why(Run run, String condition) {
        return switch (run) {
            case Run.Upgrade _ when condition.startsWith(UPGRADES) ->
                    condition.substring(UPGRADES.length());
            case Run.GiveUp _, Run.Uninstall _, Run.Install _, Run.Upgrade _, Run.Inspect _ -> "";
        };
    }

    private static List<ValuesDiff.Line> values(
            ReleaseProxy proxy, @Nullable Contents before, Deployment deployment) {
        return ValuesDiff.of(
                before == null ? "" : before.values(),
                deployment.values(),
                proxy.valuesSecret() != null);
    }
}
