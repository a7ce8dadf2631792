package dev.millwright.cli;

import dev.millwright.capi.manager.CaptFlag;
import dev.millwright.capi.manager.CaptSettings;
import dev.millwright.capi.manager.CaptSettingsReader;
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

/// Runs the Cluster API provider: reads its settings, finds its cluster, and stops it when told to.
@Command(
        name = "capi",
        description =
                "Run the Cluster API provider CAPT: build EKS clusters through Terraform, without Crossplane.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Exit code 1 when a flag has a value that cannot be used, 2 for a flag there is not.",
            "",
            "Examples:",
            "  millwright run capi --leader-elect",
            "  millwright run capi --enable-controller=infrastructure --namespace team-a"
        })
final class CaptCommand implements Callable<Integer> {

    /// Two minutes in which Terraform saves its state, and some seconds for the loops.
    private static final Duration STOP_MAX = Duration.ofSeconds(128);

    private final OperatorStart<CaptSettings> provider;
    private final Terminal terminal;
    private final IntConsumer halt;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    private CaptCommand(OperatorStart<CaptSettings> provider, Terminal terminal, IntConsumer halt) {
        this.provider = provider;
        this.terminal = terminal;
        this.halt = halt;
    }

    /// With an option for every flag of the settings.
    static CommandLine commandLine(
            OperatorStart<CaptSettings> provider, Terminal terminal, IntConsumer halt) {
        var spec = CommandSpec.forAnnotatedObject(new CaptCommand(provider, terminal, halt));
        FlagOptions.addTo(spec, CaptFlag.values());
        return new CommandLine(spec);
    }

    /// As CAPT's own manager does, it ends with 1 for a value that it cannot use.
    @Override
    public Integer call() throws IOException, InterruptedException {
        CaptSettings settings;
        try {
            settings = CaptSettingsReader.read(FlagOptions.given(spec, CaptFlag.values()));
        } catch (FlagsException refused) {
            return FlagOptions.refused(refused, terminal);
        }
        var access = cluster.access(terminal);
        return Termination.guarded(
                terminal, STOP_MAX, halt, stop -> provider.run(settings, access, stop));
    }
}
