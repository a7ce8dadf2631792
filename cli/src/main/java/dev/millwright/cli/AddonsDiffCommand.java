package dev.millwright.cli;

import dev.millwright.addons.helm.ApiSurroundings;
import dev.millwright.addons.helm.HelmReading;
import dev.millwright.addons.helm.HelmRenderer;
import dev.millwright.cli.addons.AddonsEstate;
import dev.millwright.cli.addons.AddonsPreview;
import dev.millwright.cli.addons.AddonsText;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/// Shows what would change on which cluster, before it does.
@Command(
        name = "diff",
        description =
                "Show what HelmChartProxies would install, upgrade and uninstall on which cluster. Changes nothing.",
        sortOptions = false,
        footer = {
            "",
            "Without a file: what the add-ons have still to do. With one: what they would do if it were applied;",
            "HelmChartProxies and Clusters of the file count, the server's own checks are not made. The add-ons' own",
            "controllers are played on a draft until they are quiet, with every run of Helm taken to go well.",
            "Values that stand in Secrets, or whose name sounds secret, are shown as ***.",
            "Exit code 0 whether or not there is something to do; with --exit-code 3 when there is. 1 when it",
            "could not be found out.",
            "",
            "Examples:",
            "  millwright addons diff -n team-a",
            "  millwright addons diff -n team-a -f proxy.yaml",
            "  millwright addons diff -n team-a ingress --exit-code"
        })
final class AddonsDiffCommand implements Callable<Integer> {

    /// Not 1, which says that something went wrong.
    private static final int EXIT_DIFFERENT = 3;

    private final ClusterDoor door;
    private final Terminal terminal;
    private final InstantSource clock;

    @Parameters(
            paramLabel = "PROXY",
            arity = "0..*",
            description = "The proxies to show; else those of the files, else all.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The proxies' namespace; else the context's.")
    private @Nullable String namespace;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "What is to be applied, - for standard input; may be given several times.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--exit-code", description = "Exit with 3 when something would change.")
    private boolean isExitCode;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Mixin private HelmCommandOptions helm = new HelmCommandOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    AddonsDiffCommand(ClusterDoor door, Terminal terminal, InstantSource clock) {
        this.door = door;
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        var proposed = proposed();
        try (var api = door.open(cluster.access(terminal))) {
            var place = namespace == null ? api.namespace() : namespace;
            for (var each : proposed) {
                var own = each.name().namespace();
                if (!own.isEmpty() && !own.equals(place)) {
                    throw new IOException(
                            "%s %s is of namespace %s; found namespace %s, and another is given by -n"
                                    .formatted(
                                            each.root().at("kind").text(""),
                                            each.name().name(),
                                            own,
                                            place));
                }
            }
            var estate = AddonsEstate.read(api, place).with(proposed, place);
            var outcome = played(estate, wanted(proposed), api);
            show(outcome);
            return isExitCode && !outcome.changes().isEmpty() ? EXIT_DIFFERENT : 0;
        }
    }

    private List<RawObject> proposed() {
        var proposed = new ArrayList<RawObject>();
        for (var file : files) {
            for (var document : DocumentReader.readAll(Planning.source(file, terminal))) {
                if (document instanceof Value.Mapping mapping) {
                    var object = RawObject.of(mapping);
                    if (AddonsEstate.isProposal(object)) {
                        proposed.add(object);
                    } else {
                        terminal.note(
                                "left out: %s %s, which is neither HelmChartProxy nor Cluster"
                                        .formatted(
                                                object.root().at("kind").text(""), object.name()));
                    }
                }
            }
        }
        return proposed;
    }

    private AddonsPreview.Outcome played(AddonsEstate estate, Set<String> wanted, KubeApi api)
            throws IOException {
        var unknown = new TreeSet<>(names);
        estate.charts().forEach(each -> unknown.remove(each.name().name()));
        if (!unknown.isEmpty()) {
            throw new IOException(
                    "HelmChartProxy %s is not there; there are %s"
                            .formatted(
                                    String.join(", ", unknown),
                                    estate.charts().stream()
                                            .map(each -> each.name().name())
                                            .toList()));
        }
        var settings = helm.settings(terminal);
        try {
            var ports =
                    new AddonsPreview.Ports(
                            new HelmReading(settings, api, clock),
                            new HelmRenderer(settings),
                            new ApiSurroundings(api, new ReferenceGrants(api)));
            return new AddonsPreview(estate, wanted, api, ports, clock.instant()).play();
        } finally {
            HelmCommandOptions.remove(settings.directory());
        }
    }

    /// Those that were asked for. A proposed Cluster concerns all proxies.
    private Set<String> wanted(List<RawObject> proposed) {
        var wanted = new TreeSet<>(names);
        if (wanted.isEmpty() && proposed.stream().noneMatch(AddonsEstate::isCluster)) {
            proposed.forEach(each -> wanted.add(each.name().name()));
        }
        return wanted;
    }

    private void show(AddonsPreview.Outcome outcome) {
        switch (output.format()) {
            case TABLE -> lines(outcome, false);
            case WIDE -> lines(outcome, true);
            case JSON -> ResultText.json(AddonsText.result(outcome), terminal.out());
            case YAML -> ResultText.yaml(AddonsText.result(outcome), terminal.out());
        }
        terminal.flush();
    }

    private void lines(AddonsPreview.Outcome outcome, boolean isWide) {
        var look = new AddonsText.Look(isWide, terminal.isUnicode(), terminal.isColoured());
        AddonsText.lines(outcome, look).forEach(terminal.out()::println);
    }
}
