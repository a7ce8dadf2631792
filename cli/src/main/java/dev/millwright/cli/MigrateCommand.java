package dev.millwright.cli;

import dev.millwright.cli.migrate.Adopting;
import dev.millwright.cli.migrate.Deed;
import dev.millwright.cli.migrate.LiveObjects;
import dev.millwright.cli.migrate.MigrationText;
import dev.millwright.cli.migrate.OldDocuments;
import dev.millwright.cli.migrate.Undoing;
import dev.millwright.cli.migrate.plan.AutoscalerPlan;
import dev.millwright.cli.migrate.plan.ClusterFacts;
import dev.millwright.cli.migrate.plan.KarpenterPlan;
import dev.millwright.cli.migrate.plan.PlanText;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.conversion.Migration;
import dev.millwright.kube.conversion.Note;
import dev.millwright.kube.document.DocumentException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// Converts objects of older APIs to v1.
@Command(
        name = "migrate",
        description = "Convert objects of older Karpenter APIs to v1, from files or a cluster.",
        sortOptions = false,
        footer = {
            "",
            "Provisioners, Machines and AWSNodeTemplates of v1alpha5, and NodePools, NodeClaims",
            "and EC2NodeClasses of v1beta1 become objects of v1 on standard output. What has no",
            "equal, and what was added to keep behaviour, is told on standard error. Without -f",
            "the cluster's own objects are read. Nothing is written to a cluster but by --apply,",
            "which adopts nodes as they run, and --undo, which gives them back. Kinds of CAPT",
            "in another spelling, such as CAPTMachineDeployment, are respelled as served.",
            "",
            "Examples:",
            "  millwright migrate -f provisioner.yaml > nodepool.yaml",
            "  millwright migrate --context production --diff",
            "  millwright migrate --context production --apply --node-role NodeRole",
            "  millwright migrate --from cluster-autoscaler"
        })
final class MigrateCommand implements Callable<Integer> {

    /// Whom a plan leads away from.
    enum Origin {
        KARPENTER("karpenter"),
        CLUSTER_AUTOSCALER("cluster-autoscaler");

        private final String word;

        Origin(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /// Completes and converts the two words of `--from`.
    static final class Origins implements ITypeConverter<Origin>, Iterable<String> {
        @Override
        public Origin convert(String text) {
            for (var origin : Origin.values()) {
                if (origin.word.equals(text)) {
                    return origin;
                }
            }
            throw new TypeConversionException(
                    "found \"%s\"; wanted karpenter or cluster-autoscaler".formatted(text));
        }

        @Override
        public Iterator<String> iterator() {
            return Stream.of(Origin.values()).map(Origin::toString).iterator();
        }
    }

    private final ClusterDoor door;
    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "A file to convert, - for standard input; may be given several times.")
    private List<String> files = new ArrayList<>();

    @Parameters(arity = "0..*", paramLabel = "FILE", description = "Files to convert, as by -f.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--from",
            paramLabel = "karpenter|cluster-autoscaler",
            converter = Origins.class,
            completionCandidates = Origins.class,
            description =
                    "Show a plan with steps, checks and the way back, for who comes from there.")
    private @Nullable Origin origin;

    @Option(
            names = "--ignore-defaults",
            description = "Do not write out what older APIs took for granted.")
    private boolean isIgnoringDefaults;

    @Option(
            names = "--node-role",
            paramLabel = "NAME",
            description = "The IAM role of nodes whose class names neither role nor profile.")
    private String nodeRole = "";

    @Option(
            names = "--apply",
            description =
                    "Write the objects to the cluster and make a NodeClaim for each node that runs;"
                            + " no controller may run.")
    private boolean isApplying;

    @Option(names = "--undo", description = "Take back what --apply did; no controller may run.")
    private boolean isUndoing;

    @Option(
            names = "--no-freeze",
            description = "With --apply: let nodes of the new pools go by choice at once.")
    private boolean isThawed;

    @Option(names = "--diff", description = "Show what changes, line by line.")
    private boolean isDiff;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "yaml|json",
            converter = ObjectFormat.Words.class,
            completionCandidates = ObjectFormat.Words.class,
            description = "How to write the objects (default: yaml).")
    private ObjectFormat format = ObjectFormat.YAML;

    MigrateCommand(ClusterDoor door, Terminal terminal) {
        this.door = door;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        files.addAll(arguments);
        if (isApplying || isUndoing) {
            return changed();
        }
        if (origin != null) {
            return planned(origin);
        }
        var documents = documents();
        var options = new Migration.Options(isIgnoringDefaults, nodeRole);
        var result = Migration.of(documents.values(), options).after(documents.faults());
        show(result);
        result.faults().forEach(fault -> terminal.err().println("millwright: " + fault));
        terminal.flush();
        return result.faults().isEmpty() ? 0 : Failures.EXIT_CODE;
    }

    private int planned(Origin from) throws IOException {
        var facts = facts();
        var plan =
                switch (from) {
                    case KARPENTER -> KarpenterPlan.of(facts);
                    case CLUSTER_AUTOSCALER -> AutoscalerPlan.of(facts);
                };
        switch (format) {
            case YAML -> terminal.out().print(PlanText.text(plan));
            case JSON -> ResultText.json(PlanText.json(plan), terminal.out());
        }
        terminal.flush();
        return 0;
    }

    private ClusterFacts facts() throws IOException {
        if (files.isEmpty()) {
            try (var api = door.open(cluster.access(terminal))) {
                return ClusterFacts.of(new LiveObjects(api));
            }
        }
        var documents = documents();
        if (!documents.faults().isEmpty()) {
            throw new DocumentException(documents.faults(), 0);
        }
        return ClusterFacts.of(documents.values());
    }

    /// Only the cluster's own objects: what is adopted must be what is there.
    private int changed() throws IOException {
        if (isApplying == isUndoing || !files.isEmpty() || isDiff) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--apply and --undo stand alone, without -f and --diff");
        }
        try (var api = door.open(cluster.access(terminal))) {
            return isUndoing ? undone(api) : adopted(api);
        }
    }

    private int undone(HttpKubeApi api) throws IOException {
        var undoing = new Undoing(api, InstantSource.system());
        try {
            undoing.undo();
        } finally {
            show(undoing.deeds(), List.of(), List.of());
        }
        return 0;
    }

    private int adopted(HttpKubeApi api) throws IOException {
        var options = new Migration.Options(isIgnoringDefaults, nodeRole);
        var result = Migration.of(new LiveObjects(api).old(), options);
        result.faults().forEach(fault -> terminal.err().println("millwright: " + fault));
        var adopting = new Adopting(api, InstantSource.system(), !isThawed);
        try {
            adopting.adopt(result);
        } finally {
            show(adopting.deeds(), result.notes(), adopting.commands());
        }
        return 0;
    }

    private void show(List<Deed> deeds, List<Note> notes, List<String> commands) {
        switch (format) {
            case YAML -> {
                notes.forEach(note -> terminal.note(note.toString()));
                deeds.forEach(deed -> terminal.out().println(deed));
                if (deeds.isEmpty()) {
                    terminal.note("there was nothing to do");
                }
                commands.forEach(command -> terminal.note("now type: " + command));
            }
            case JSON ->
                    ResultText.json(MigrationText.json(deeds, notes, commands), terminal.out());
        }
        terminal.flush();
    }

    private OldDocuments documents() throws IOException {
        if (!files.isEmpty()) {
            return OldDocuments.read(
                    files.stream().map(file -> Planning.source(file, terminal)).toList());
        }
        try (var api = door.open(cluster.access(terminal))) {
            return new OldDocuments(List.copyOf(new LiveObjects(api).old()), List.of());
        }
    }

    private void show(Migration.Result result) {
        if (isDiff) {
            terminal.out().print(MigrationText.diff(result));
            tell(result);
            return;
        }
        switch (format) {
            case YAML -> {
                terminal.out().print(MigrationText.yaml(result));
                tell(result);
            }
            case JSON -> ResultText.json(MigrationText.json(result), terminal.out());
        }
    }

    private void tell(Migration.Result result) {
        result.notes().forEach(note -> terminal.note(note.toString()));
        if (result.turned().isEmpty() && result.faults().isEmpty()) {
            terminal.note("found no object of an older API");
        }
    }
}
