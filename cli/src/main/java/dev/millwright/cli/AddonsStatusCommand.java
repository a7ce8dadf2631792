package dev.millwright.cli;

import dev.millwright.addons.helm.HelmReading;
import dev.millwright.cli.addons.AddonsEstate;
import dev.millwright.cli.addons.AddonsStatus;
import dev.millwright.cli.addons.AddonsText;
import dev.millwright.cli.capi.TreeText;
import dev.millwright.kube.client.KubeApi;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;

/// Shows each release on each cluster.
@Command(
        name = "status",
        description = "Show the release of every HelmChartProxy on every cluster that it selects.",
        sortOptions = false,
        footer = {
            "",
            "DEPLOYED is what the clusters themselves say; ? is one that does not answer, or whose kubeconfig",
            "you may not read. --local leaves it out and asks the management cluster alone.",
            "",
            "Examples:",
            "  millwright addons status -n team-a",
            "  millwright addons status --all-namespaces --local -o json"
        })
final class AddonsStatusCommand implements Callable<Integer> {

    /// Characters of a message in a narrow table.
    private static final int MESSAGE_MAX = 72;

    private final ClusterDoor door;
    private final Terminal terminal;
    private final InstantSource clock;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The proxies' namespace; else the context's.")
    private @Nullable String namespace;

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Show those of all namespaces.")
    private boolean isEverywhere;

    @Option(names = "--local", description = "Ask the management cluster alone.")
    private boolean isLocal;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Mixin private HelmCommandOptions helm = new HelmCommandOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    AddonsStatusCommand(ClusterDoor door, Terminal terminal, InstantSource clock) {
        this.door = door;
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        try (var api = door.open(cluster.access(terminal))) {
            var named = namespace == null ? api.namespace() : namespace;
            var estate = AddonsEstate.read(api, isEverywhere ? "" : named);
            show(isLocal ? AddonsStatus.of(estate, null) : asked(estate, api));
        }
        return 0;
    }

    private List<AddonsStatus> asked(AddonsEstate estate, KubeApi api) throws IOException {
        var settings = helm.settings(terminal);
        try {
            return AddonsStatus.of(estate, new HelmReading(settings, api, clock));
        } finally {
            HelmCommandOptions.remove(settings.directory());
        }
    }

    private void show(List<AddonsStatus> releases) {
        switch (output.format()) {
            case TABLE -> table(releases, false);
            case WIDE -> table(releases, true);
            case JSON -> ResultText.json(AddonsText.result(releases), terminal.out());
            case YAML -> ResultText.yaml(AddonsText.result(releases), terminal.out());
        }
        terminal.flush();
    }

    private void table(List<AddonsStatus> releases, boolean isWide) {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("PROXY"),
                                TextTable.left("CLUSTER"),
                                TextTable.left("RELEASE"),
                                TextTable.left("CHART"),
                                TextTable.left("WANTED"),
                                TextTable.left("DEPLOYED"),
                                TextTable.right("REVISION"),
                                TextTable.left("STATE"),
                                TextTable.right("AGE"),
                                TextTable.left("MESSAGE")));
        for (var each : releases) {
            var message = TreeText.oneLine(each.message());
            var proxy = each.proxy();
            table.row(
                    isEverywhere || isWide ? each.namespace() + "/" + proxy : proxy,
                    each.cluster(),
                    each.release().name().isEmpty() ? "" : each.release().toString(),
                    each.chart(),
                    each.wanted().isEmpty() ? "newest" : each.wanted(),
                    deployed(each),
                    each.revision() == 0 ? "" : Long.toString(each.revision()),
                    state(each),
                    TreeText.age(each.createdAt(), clock.instant()),
                    isWide || message.length() <= MESSAGE_MAX
                            ? message
                            : message.substring(0, MESSAGE_MAX).stripTrailing() + " ...");
        }
        table.print(terminal.out());
    }

    private String deployed(AddonsStatus status) {
        if (status.deployed() != null) {
            return status.deployed();
        }
        return isLocal || status.revision() == 0 ? "" : "?";
    }

    private static String state(AddonsStatus status) {
        if (status.isReady()) {
            return "Ready";
        }
        return status.reason().isEmpty() ? "Unknown" : status.reason();
    }
}
