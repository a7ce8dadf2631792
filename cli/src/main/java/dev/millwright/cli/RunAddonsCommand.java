package dev.millwright.cli;

import dev.millwright.addons.manager.AddonsFlag;
import dev.millwright.addons.manager.AddonsSettings;
import dev.millwright.addons.manager.AddonsSettingsReader;
import dev.millwright.runtime.flag.FlagsException;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;

/// Runs the add-ons: reads their settings, finds the management cluster, and stops when told to.
@Command(
        name = "addons",
        description =
                "Run the add-ons: keep Helm releases on workload clusters as HelmChartProxies say.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Exit code 1 when a flag has a value that cannot be used, 2 for a flag there is not.",
            "",
            "Examples:",
            "  millwright run addons --leader-elect",
            "  millwright run addons --namespace team-a --helm /usr/local/bin/helm"
        })
final class RunAddonsCommand implements Callable<Integer> {

    /// Half a minute in which runs of Helm mark their releases, and some seconds for the loops.
    private static final Duration STOP_MAX = Duration.ofSeconds(40);

    private final OperatorStart<AddonsSettings> addons;
    private final Terminal terminal;
    private final IntConsumer halt;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    private RunAddonsCommand(
            OperatorStart<AddonsSettings> addons, Terminal terminal, IntConsumer halt) {
        this.addons = addons;
        this.terminal = terminal;
        this.halt = halt;
    }

    /// With an option for every flag of the settings.
    static CommandLine commandLine(
            OperatorStart<AddonsSettings> addons, Terminal terminal, IntConsumer halt) {
        var spec = CommandSpec.forAnnotatedObject(new RunAddonsCommand(addons, terminal, halt));
        FlagOptions.addTo(spec, AddonsFlag.values());
        return new CommandLine(spec);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        AddonsSettings settings;
        try {
            settings = AddonsSettingsReader.read(FlagOptions.given(spec, AddonsFlag.values()));
        } catch (FlagsException refused) {
            return FlagOptions.refused(refused, terminal);
        }
        var access = cluster.access(terminal);
        return Termination.guarded(
                terminal, STOP_MAX, halt, stop -> addons.run(settings, access, stop));
    }
}
