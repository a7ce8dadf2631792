package dev.millwright.cli;

import dev.millwright.kube.snapshot.SnapshotFile;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Solves files once and shows the plan.
@Command(
        name = "simulate",
        description = "Show which nodes would be launched for the pods that wait in a file.",
        footer = {
            "",
            "A FILE holds Kubernetes objects as kubectl prints them, or a problem of",
            "format 1; as JSON or YAML, packed by gzip or not. Several files are one",
            "cluster. Machines and prices are those of EC2 unless a file brings its own.",
            "",
            "Examples:",
            "  millwright simulate examples/shop.yaml",
            "  kubectl get -A -o json nodepools,nodeclaims,nodes,pods,daemonsets,pv,pvc,\\",
            "      storageclasses,csinodes,pdb,ns | millwright simulate -o wide -"
        })
final class SimulateCommand implements Callable<Integer> {

    private final Planning planning;
    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Mixin private PackingOptions packing = new PackingOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private WaitingExit waitingExit = new WaitingExit();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "A file to read; the same as an argument.")
    private List<String> named = new ArrayList<>();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files to read; - is standard input.")
    private List<String> files = new ArrayList<>();

    SimulateCommand(Planning planning, Terminal terminal) {
        this.planning = planning;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        var all = new ArrayList<>(named);
        all.addAll(files);
        if (all.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "a FILE is missing; give one, or - for standard input");
        }
        SnapshotFile file;
        Planning.Measured measured;
        try (var progress = new Progress(terminal)) {
            progress.step("reading " + String.join(", ", all));
            file = planning.read(all);
            var problem = packing.applied(file.problem());
            progress.step(
                    "planning for %,d of %,d pods over %,d instance types"
                            .formatted(
                                    Planning.waiting(problem),
                                    problem.snapshot().pods().size(),
                                    Planning.types(problem)));
            measured = Planning.measure(problem);
        }
        file.notes().forEach(terminal::note);
        show(file, measured);
        terminal.flush();
        return waitingExit.code(measured.plan().waiting().size());
    }

    private void show(SnapshotFile file, Planning.Measured measured) {
        switch (output.format()) {
            case TABLE -> new PlanTable(terminal, file, measured).print(false);
            case WIDE -> new PlanTable(terminal, file, measured).print(true);
            case JSON -> ResultText.json(PlanResult.of(file.name(), measured), terminal.out());
            case YAML -> ResultText.yaml(PlanResult.of(file.name(), measured), terminal.out());
        }
    }
}
