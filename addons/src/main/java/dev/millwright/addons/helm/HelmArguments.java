package dev.millwright.addons.helm;

import dev.millwright.addons.object.ChartSource;
import dev.millwright.addons.object.HelmOptions;
import dev.millwright.addons.port.HelmRuns.Deployment;
import dev.millwright.addons.port.Marks;
import dev.millwright.addons.port.ReleaseId;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What Helm's command is told, as its arguments. Secrets stand in files, whose paths are here.
final class HelmArguments {

    /// How a chart's registry or repository is reached.
    ///
    /// @param registryConfig a file of Docker's with logins
    /// @param authority certificates to trust
    record Access(Path registryConfig, @Nullable Path authority) {}

    /// The files of a run on a workload cluster.
    record Files(Path kubeconfig, Path registryConfig, Path chart, Path values) {}

    private final List<String> arguments = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    private HelmArguments(String command, String... names) {
        arguments.add(command);
        this.names.addAll(List.of(names));
    }

    /// Names come last, behind a sign that no flag follows: one that begins with a dash is none.
    private List<String> all() {
        var all = new ArrayList<>(arguments);
        all.add("--");
        all.addAll(names);
        return all;
    }

    static List<String> pull(ChartSource source, Access access, Path target) {
        return new HelmArguments("pull")
                .chart(source)
                .putUnlessEmpty("--version", source.version())
                .put("--destination", target.toString())
                .put("--registry-config", access.registryConfig().toString())
                .putIf(source.skipsVerification(), "--insecure-skip-tls-verify")
                .authority(access.authority())
                .all();
    }

    static List<String> showChart(Path chart) {
        return List.of("show", "chart", chart.toString());
    }

    static List<String> install(
            ReleaseId id,
            HelmOptions options,
            Deployment deployment,
            Files files,
            boolean replaces) {
        return new HelmArguments("install", id.name(), files.chart().toString())
                .deployment(id, options, deployment, files)
                .putIf(options.install().createsNamespace(), "--create-namespace")
                .putIf(replaces, "--replace")
                .all();
    }

    static List<String> upgrade(
            ReleaseId id, HelmOptions options, Deployment deployment, Files files) {
        var upgrade = options.upgrade();
        return new HelmArguments("upgrade", id.name(), files.chart().toString())
                .deployment(id, options, deployment, files)
                .putIf(upgrade.forces(), "--force")
                .putIf(upgrade.resetsValues(), "--reset-values")
                .putIf(upgrade.reusesValues(), "--reuse-values")
                .putIf(upgrade.resetsThenReusesValues(), "--reset-then-reuse-values")
                .putIf(upgrade.recreatesPods(), "--recreate-pods")
                .put("--history-max", Integer.toString(upgrade.historyMax()))
                .putIf(upgrade.cleansUpOnFail(), "--cleanup-on-fail")
                .all();
    }

    static List<String> uninstall(ReleaseId id, HelmOptions options, Path kubeconfig) {
        var uninstall = options.uninstall();
        return new HelmArguments("uninstall", id.name())
                .put("--kubeconfig", kubeconfig.toString())
                .put("--namespace", id.namespace())
                .put("--timeout", timeout(options))
                .putIf(options.disablesHooks(), "--no-hooks")
                .putIf(options.waits(), "--wait")
                .putIf(uninstall.keepsHistory(), "--keep-history")
                .putUnlessEmpty("--description", uninstall.description())
                .putIf(true, "--ignore-not-found")
                .all();
    }

    private HelmArguments deployment(
            ReleaseId id, HelmOptions options, Deployment deployment, Files files) {
        return put("--kubeconfig", files.kubeconfig().toString())
                .put("--registry-config", files.registryConfig().toString())
                .put("--namespace", id.namespace())
                .put("--values", files.values().toString())
                .put("--timeout", timeout(options))
                .put(
                        "--labels",
                        "%s=%s,%s=%s,%s=%s"
                                .formatted(
                                        Marks.OWNER,
                                        deployment.owner(),
                                        Marks.WANTED,
                                        deployment.wanted(),
                                        Marks.RUN,
                                        deployment.run()))
                .putIf(options.disablesHooks(), "--no-hooks")
                .putIf(options.waits(), "--wait")
                .putIf(options.waitsForJobs(), "--wait-for-jobs")
                .putIf(options.updatesDependencies(), "--dependency-update")
                .putIf(options.skipsDefinitions(), "--skip-crds")
                .putIf(options.rendersSubchartNotes(), "--render-subchart-notes")
                .putIf(options.disablesValidation(), "--disable-openapi-validation")
                .putIf(options.isAtomic(), "--atomic")
                .putIf(options.takesOwnership(), "--take-ownership")
                .putIf(true, "--hide-notes");
    }

    /// Helm's repositories are known by a lower-case scheme.
    private HelmArguments chart(ChartSource source) {
        if (source.isOci()) {
            var folder = source.repository();
            names.add(folder + (folder.endsWith("/") ? "" : "/") + source.chart());
        } else {
            var url = source.repository();
            var scheme = Math.max(0, url.indexOf(':'));
            put(
                    "--repo",
                    url.substring(0, scheme).toLowerCase(Locale.ROOT) + url.substring(scheme));
            names.add(source.chart());
        }
        return this;
    }

    private HelmArguments authority(@Nullable Path file) {
        return file == null ? this : put("--ca-file", file.toString());
    }

    private static String timeout(HelmOptions options) {
        return options.timeout().toMillis() + "ms";
    }

    /// One argument each: what a user wrote cannot become a flag of its own.
    private HelmArguments put(String flag, String value) {
        arguments.add(flag + "=" + value);
        return this;
    }

    private HelmArguments putUnlessEmpty(String flag, String value) {
        return value.isEmpty() ? this : put(flag, value);
    }

    private HelmArguments putIf(boolean isWanted, String flag) {
        if (isWanted) {
            arguments.add(flag);
        }
        return this;
    }
}
