package dev.millwright.cli;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.settings.SettingsException;
import dev.millwright.controllers.settings.SettingsReader;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;

/// Runs the operator: reads its settings, finds its cluster, and stops it when told to.
@Command(
        name = "controllers",
        description =
                "Run the operator: launch nodes for pods that wait, and remove what is not needed.",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Each flag may also be given by the variable in brackets; the flag outweighs it.",
            "",
            "Examples:",
            "  millwright run controllers --kubeconfig ~/.kube/config --dry-run",
            "  millwright run controllers --shadow --provider aws --cluster-name shop",
            "  FEATURE_GATES=NodeRepair=true millwright run controllers --log-level debug"
        })
final class ControllersCommand implements Callable<Integer> {

    private final OperatorStart<Settings> operator;
    private final Terminal terminal;
    private final IntConsumer halt;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    private ControllersCommand(
            OperatorStart<Settings> operator, Terminal terminal, IntConsumer halt) {
        this.operator = operator;
        this.terminal = terminal;
        this.halt = halt;
    }

    /// With an option for every flag of the settings.
    static CommandLine commandLine(
            OperatorStart<Settings> operator, Terminal terminal, IntConsumer halt) {
        var spec = CommandSpec.forAnnotatedObject(new ControllersCommand(operator, terminal, halt));
        FlagOptions.addTo(spec);
        return new CommandLine(spec);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var reading = settings();
        var access = cluster.access(terminal);
        reading.notes().forEach(terminal::note);
        return Termination.guarded(
                terminal,
                Termination.STOP_MAX,
                halt,
                stop -> operator.run(reading.settings(), access, stop));
    }

    private SettingsReader.Reading settings() {
        try {
            return SettingsReader.read(FlagOptions.given(spec), terminal.environment());
        } catch (SettingsException refused) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), String.join("\nmillwright: ", refused.faults()), refused);
        }
    }
}
