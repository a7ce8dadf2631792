package dev.millwright.cli;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.tree.ClusterTree;
import dev.millwright.capi.tree.Estate;
import dev.millwright.capi.tree.Nearest;
import dev.millwright.capi.tree.StateReading;
import dev.millwright.capi.tree.TreeNode;
import dev.millwright.cli.capi.LiveEstate;
import dev.millwright.cli.capi.StateSecrets;
import dev.millwright.cli.capi.TreeText;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Shows a cluster and all that was built for it.
@Command(
        name = "tree",
        description =
                "Show a Cluster, its infrastructure, control plane and machines, down to what Terraform built for them.",
        sortOptions = false,
        footer = {
            "",
            "Each line has its state, why, its age, and the last error or the progress of the run of",
            "Terraform that is under way. Of Terraform's states addresses are shown, never values;",
            "they are read where its kubernetes backend keeps them, if you may read Secrets there.",
            "Exit code 1 when there is no such Cluster.",
            "",
            "Examples:",
            "  millwright capi tree shop -n team-a",
            "  millwright capi tree shop -n team-a -o json",
            "  kubectl get cluster-api,capt,managed -A -o yaml | millwright capi tree shop -f -"
        })
final class CapiTreeCommand implements Callable<Integer> {

    private static final String NAMESPACE_DEFAULT = "default";

    private final ClusterDoor door;
    private final Terminal terminal;
    private final InstantSource clock;

    @Parameters(paramLabel = "CLUSTER", description = "The Cluster's name.")
    @SuppressWarnings("NullAway.Init") // Picocli demands it.
    private String name;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The Cluster's namespace; else the context's.")
    private @Nullable String namespace;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "Read the objects from a file instead, - for standard input; may be given several times.")
    private List<String> files = new ArrayList<>();

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    CapiTreeCommand(ClusterDoor door, Terminal terminal, InstantSource clock) {
        this.door = door;
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        if (!files.isEmpty()) {
            var documents = new ArrayList<Value>();
            files.forEach(
                    file ->
                            documents.addAll(
                                    DocumentReader.readAll(Planning.source(file, terminal))));
            var estate = new Estate(documents);
            return shown(estate, place(estate), each -> StateSecrets.of(estate, each));
        }
        try (var api = door.open(cluster.access(terminal))) {
            var place = namespace == null ? api.namespace() : namespace;
            var live = new LiveEstate(api, place);
            return shown(live.read(), place, live::state);
        }
    }

    /// A file's only Cluster of that name needs no namespace.
    private String place(Estate estate) {
        if (namespace != null) {
            return namespace;
        }
        var places =
                clusters(estate).stream()
                        .map(RawObject::name)
                        .filter(each -> each.name().equals(name))
                        .map(ObjectName::namespace)
                        .toList();
        return places.size() == 1 ? places.getFirst() : NAMESPACE_DEFAULT;
    }

    private static List<RawObject> clusters(Estate estate) {
        return estate.all(ClusterApi.GROUP, "Cluster");
    }

    private int shown(Estate estate, String place, StateReading.Keeper states) throws IOException {
        var found = ClusterTree.find(estate, new ObjectName(place, name));
        if (found == null) {
            throw new IOException(notFound(estate, place));
        }
        show(ClusterTree.of(found, estate, states));
        return 0;
    }

    private String notFound(Estate estate, String place) {
        var names =
                clusters(estate).stream()
                        .filter(each -> each.name().namespace().equals(place))
                        .map(each -> each.name().name())
                        .toList();
        var words = "Cluster \"%s\" not found in namespace \"%s\"".formatted(name, place);
        var near = Nearest.of(name, names);
        if (near != null) {
            return words + "; maybe \"%s\"?".formatted(near);
        }
        return names.isEmpty()
                ? words + ", which has none; another namespace is given by -n"
                : words + "; it has " + String.join(", ", names);
    }

    private void show(TreeNode tree) {
        switch (output.format()) {
            case TABLE -> table(tree, false);
            case WIDE -> table(tree, true);
            case JSON -> ResultText.json(result(tree), terminal.out());
            case YAML -> ResultText.yaml(result(tree), terminal.out());
        }
        terminal.flush();
    }

    private static Map<String, @Nullable Object> result(TreeNode tree) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("cluster", tree.name());
        result.put("namespace", tree.namespace());
        result.put("tree", TreeText.result(tree));
        return result;
    }

    private void table(TreeNode tree, boolean isWide) {
        var look = new TreeText.Look(isWide, terminal.isUnicode(), terminal.isColoured());
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("NAME"),
                                TextTable.left("STATE"),
                                TextTable.left("REASON"),
                                TextTable.right("AGE"),
                                TextTable.left("MESSAGE")));
        for (var row : TreeText.rows(tree, look, clock.instant())) {
            table.row(row.name(), row.state(), row.reason(), row.age(), row.message());
        }
        table.print(terminal.out());
    }
}
