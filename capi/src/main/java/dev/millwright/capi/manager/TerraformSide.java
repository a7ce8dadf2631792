package dev.millwright.capi.manager;

import dev.millwright.capi.port.ApiSecrets;
import dev.millwright.capi.roster.Half;
import dev.millwright.capi.runner.LocalHost;
import dev.millwright.capi.runner.RunnerClient;
import dev.millwright.capi.runner.TerraformBinary;
import dev.millwright.capi.runner.TerraformHost;
import dev.millwright.capi.terraform.ApiInputs;
import dev.millwright.capi.terraform.CrossplaneOwnership;
import dev.millwright.capi.terraform.Runs;
import dev.millwright.capi.terraform.TerraformSettings;
import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.TerraformRuns;
import dev.millwright.capi.workspace.WorkspaceController;
import dev.millwright.capi.workspace.WorkspaceSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.process.ProcessSurroundings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/// What runs Terraform beside the loops, from the finding of its binary to its end.
final class TerraformSide {

    /// How long runs may take to save their state when the process ends; the chart's pods have a
    /// little more until they are killed.
    private static final Duration SAVE_MAX = Duration.ofMinutes(2);

    /// A runner in the same pod starts beside us.
    private static final Duration RUNNER_WAIT = Duration.ofSeconds(60);

    private static final String WORK_DIRECTORY = "capt-terraform";

    private final CaptSettings settings;
    private final ProcessSurroundings surroundings;
    private final Meter meter;
    private final Log log;

    /// Rings the loops, which ask for runs.
    private final Outside.Bell bell;

    private @Nullable Runs runs;

    TerraformSide(
            CaptSettings settings,
            ProcessSurroundings surroundings,
            Outside.Bell bell,
            Meter meter,
            Log log) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.bell = bell;
        this.meter = meter;
        this.log = log;
    }

    /// @throws IOException when Terraform is needed and not there; its message is for a person
    WorkspaceController.Ports ports(HttpKubeApi api) throws IOException {
        var secrets = new ApiSecrets(api);
        return new WorkspaceController.Ports(
                runs(api),
                new ApiInputs(
                        api,
                        secrets,
                        settings.terraform().lendsCredentials()
                                ? surroundings.environment()
                                : null),
                secrets,
                new CrossplaneOwnership(api, surroundings.clock(), choice()),
                references(api));
    }

    private ReferencePolicy references(HttpKubeApi api) {
        return settings.scope().crossesNamespaces()
                ? ReferencePolicy.ANY
                : new ReferenceGrants(api);
    }

    WorkspaceSettings workspaces() {
        var usual = WorkspaceSettings.DEFAULT;
        return new WorkspaceSettings(
                settings.terraform().pollInterval(), usual.backoffMin(), usual.backoffMax());
    }

    private CrossplaneOwnership.Choice choice() {
        return switch (settings.terraform().workspaces()) {
            case AUTO -> CrossplaneOwnership.Choice.AUTO;
            case OWN -> CrossplaneOwnership.Choice.OWN;
            case LEAVE -> CrossplaneOwnership.Choice.LEAVE;
        };
    }

    private TerraformRuns runs(HttpKubeApi api) throws IOException {
        var isNeeded =
                settings.halves().contains(Half.INFRASTRUCTURE)
                        && settings.terraform().workspaces() != CaptSettings.Workspaces.LEAVE;
        if (!isNeeded) {
            return new NoRuns();
        }
        var host = host();
        var binary = host.about().binary();
        log.info(
                "found terraform",
                "path",
                binary.path().toString(),
                "version",
                binary.version(),
                "runner",
                String.valueOf(settings.terraform().runner()));
        var made =
                new Runs(
                        host,
                        terraform(api),
                        api,
                        references(api),
                        bell,
                        (level, message, keyValues) -> log.say(level, message, keyValues.toArray()),
                        surroundings.clock());
        runs = made;
        return new MeteredRuns(made, meter, surroundings.clock());
    }

    private TerraformHost host() throws IOException {
        var socket = settings.terraform().runner();
        if (socket == null) {
            return new LocalHost(
                    binary(surroundings.environment()), directory(), surroundings.environment());
        }
        try {
            return RunnerClient.find(socket, RUNNER_WAIT);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped while waiting for the runner of Terraform", stopped);
        }
    }

    private static TerraformBinary binary(Map<String, String> environment) throws IOException {
        try {
            return TerraformBinary.find(environment);
        } catch (IllegalStateException missing) {
            throw new IOException(missing.getMessage(), missing);
        }
    }

    private Path directory() {
        var given = settings.terraform().workDirectory();
        return given == null
                ? Path.of(System.getProperty("java.io.tmpdir"), WORK_DIRECTORY).toAbsolutePath()
                : given.toAbsolutePath();
    }

    private TerraformSettings terraform(HttpKubeApi api) {
        var given = settings.terraform();
        var isPod = surroundings.access() instanceof KubeAccess.InCluster;
        var usual =
                TerraformSettings.of(
                        directory().resolve("notes"),
                        api.namespace(),
                        new TerraformSettings.HostName(surroundings.hostname(), isPod),
                        surroundings.environment(),
                        given.lendsCredentials());
        return usual.withTimeouts(given.timeout(), usual.interruptWait())
                .withRunsMax(given.runsMax());
    }

    /// Interrupts what runs, so that it saves its state.
    void end() throws InterruptedException {
        if (runs != null) {
            runs.close(SAVE_MAX);
        }
    }

    /// Of a process that runs no Workspaces. It is never asked: they are left to others.
    private static final class NoRuns implements TerraformRuns {
        @Override
        public Look look(String uid) {
            return new Look.Idle();
        }

        @Override
        public void start(RunOrder order) {}

        @Override
        public void interrupt(String uid) {}

        @Override
        public void settle(String uid) {}

        @Override
        public void collect(Set<String> uids) {}
    }
}
