package dev.millwright.cli;

import dev.millwright.kube.snapshot.SnapshotFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Solves files once and shows the plan.
@Command(
        name = "simulate",
        description = "Show which nodes would be launched for the pods that wait.",
        footer = {
            "",
            "A FILE holds Kubernetes objects as kubectl prints them, or a problem of",
            "format 1; as JSON or YAML, packed by gzip or not. Several files are one",
            "cluster; without any the cluster itself is read. Machines and prices are those",
            "of EC2 in the cluster's region unless a file brings its own.",
            "",
            "Examples:",
            "  millwright simulate --context production",
            "  millwright simulate examples/shop.yaml",
            "  kubectl get -A -o json nodepools,nodeclaims,nodes,pods,daemonsets,pv,pvc,\\",
            "      storageclasses,csinodes,pdb,ns | millwright simulate -o wide -"
        })
final class SimulateCommand implements Callable<Integer> {

    private final Planning planning;
    private final ClusterDoor door;
    private final Terminal terminal;

    @Mixin private PackingOptions packing = new PackingOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private WaitingExit waitingExit = new WaitingExit();

    @Mixin private ClusterSource source = new ClusterSource();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files to read instead of the cluster, as by -f.")
    private List<String> files = new ArrayList<>();

    SimulateCommand(Planning planning, ClusterDoor door, Terminal terminal) {
        this.planning = planning;
        this.door = door;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        source.add(files);
        SnapshotFile file;
        Planning.Measured measured;
        try (var progress = new Progress(terminal)) {
            file = source.read(planning, door, terminal, progress);
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
            case JSON -> ResultText.json(PlanResult.of(file, measured), terminal.out());
            case YAML -> ResultText.yaml(PlanResult.of(file, measured), terminal.out());
        }
    }
}
