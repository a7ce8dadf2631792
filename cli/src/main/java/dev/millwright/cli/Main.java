package dev.millwright.cli;

import dev.millwright.addons.manager.AddonsSettings;
import dev.millwright.capi.manager.CaptSettings;
import dev.millwright.cli.demo.DemoWorld;
import dev.millwright.cli.demo.Show;
import dev.millwright.cli.market.ClusterMarket;
import dev.millwright.cli.market.LiveMarket;
import dev.millwright.controllers.settings.Settings;

import picocli.CommandLine;

import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;

/// The one entry point, and all wiring.
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT); // Numbers look the same everywhere.
        var terminal = Terminal.ofProcess();
        var halt = (IntConsumer) Runtime.getRuntime()::halt;
        var exitCode = commandLine(terminal, Parts.OURS, halt).execute(arguments);
        terminal.flush();
        System.exit(exitCode);
    }

    /// What runs behind the commands, so that a test can put something else there.
    record Parts(
            OperatorStart<Settings> operator,
            OperatorStart<CaptSettings> provider,
            OperatorStart<AddonsSettings> addons,
            LongFunction<Show> shows,
            LiveMarket live) {

        static final Parts OURS =
                new Parts(
                        Wiring.operator(),
                        Wiring.provider(),
                        Wiring.addons(),
                        DemoWorld::of,
                        AwsWiring::market);
    }

    static CommandLine commandLine(Terminal terminal, Parts parts, IntConsumer halt) {
        HttpServerLimits.set();
        var planning =
                new Planning(
                        settings ->
                                new ClusterMarket(
                                        settings, parts.live(), InstantSource.system().instant()),
                        terminal);
        var line =
                new CommandLine(new RootCommand(terminal))
                        .addSubcommand(new SimulateCommand(planning, Wiring::cluster, terminal))
                        .addSubcommand(
                                new PlanCommand(
                                        planning,
                                        Wiring::cluster,
                                        terminal,
                                        InstantSource.system(),
                                        halt))
                        .addSubcommand(explain(planning, terminal))
                        .addSubcommand(new BenchCommand(planning, terminal))
                        .addSubcommand(new WorldCommand(terminal))
                        .addSubcommand(new RecordCommand(parts.operator(), terminal, halt))
                        .addSubcommand(
                                new ReplayCommand(planning, terminal, InstantSource.system(), halt))
                        .addSubcommand(new DemoCommand(parts.shows(), terminal, halt))
                        .addSubcommand(
                                new CommandLine(new RunCommand())
                                        .addSubcommand(
                                                ControllersCommand.commandLine(
                                                        parts.operator(), terminal, halt))
                                        .addSubcommand(
                                                CaptCommand.commandLine(
                                                        parts.provider(), terminal, halt))
                                        .addSubcommand(
                                                RunAddonsCommand.commandLine(
                                                        parts.addons(), terminal, halt))
                                        .addSubcommand(new RunTerraformCommand(terminal, halt)))
                        .addSubcommand(new FreezeCommand(Wiring::cluster, terminal))
                        .addSubcommand(new UnfreezeCommand(Wiring::cluster, terminal))
                        .addSubcommand(new DoctorCommand(Wiring::cluster, terminal))
                        .addSubcommand(new DestroyCommand(Wiring::cluster, terminal))
                        .addSubcommand(new MigrateCommand(Wiring::cluster, terminal))
                        .addSubcommand(
                                new CommandLine(new CapiCommand())
                                        .addSubcommand(
                                                new CapiTreeCommand(
                                                        Wiring::cluster,
                                                        terminal,
                                                        InstantSource.system())))
                        .addSubcommand(
                                new CommandLine(new AddonsCommand())
                                        .addSubcommand(
                                                new AddonsDiffCommand(
                                                        Wiring::cluster,
                                                        terminal,
                                                        InstantSource.system()))
                                        .addSubcommand(
                                                new AddonsStatusCommand(
                                                        Wiring::cluster,
                                                        terminal,
                                                        InstantSource.system())))
                        .addSubcommand(new CompletionCommand(terminal))
                        .addSubcommand(new ManCommand())
                        .addSubcommand(new VersionCommand(terminal));
        line.setOut(terminal.out());
        line.setErr(terminal.err());
        line.setColorScheme(
                CommandLine.Help.defaultColorScheme(
                        terminal.isColoured()
                                ? CommandLine.Help.Ansi.ON
                                : CommandLine.Help.Ansi.OFF));
        HelpText.widen(line, terminal.width());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(new Failures(terminal));
        line.setParameterExceptionHandler(new WrongUsage());
        line.setExecutionStrategy(new Survival(terminal));
        return line;
    }

    private static CommandLine explain(Planning planning, Terminal terminal) {
        var line =
                new CommandLine(new ExplainCommand())
                        .addSubcommand(new ExplainPodCommand(planning, Wiring::cluster, terminal));
        var names =
                Map.of(
                        "node", ExplainNodeCommand.Subject.NODE,
                        "nodeclaim", ExplainNodeCommand.Subject.NODE_CLAIM);
        var aliases =
                Map.of(
                        "node", new String[] {"no", "nodes"},
                        "nodeclaim", new String[] {"nodeclaims"});
        new TreeMap<>(names)
                .forEach(
                        (name, subject) ->
                                line.addSubcommand(
                                        name,
                                        new ExplainNodeCommand(
                                                subject,
                                                planning,
                                                Wiring::cluster,
                                                terminal,
                                                InstantSource.system()),
                                        aliases.getOrDefault(name, new String[0])));
        return line.addSubcommand(
                new ExplainPoolCommand(
                        planning, Wiring::cluster, terminal, InstantSource.system()));
    }
}
