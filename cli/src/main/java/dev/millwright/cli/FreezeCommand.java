package dev.millwright.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.concurrent.Callable;

/// Stops voluntary disruption.
@Command(
        name = "freeze",
        description = "Let no node go by choice any more, in the cluster or in some NodePools.",
        sortOptions = false,
        footer = {
            "",
            "Nothing is removed, replaced or consolidated until 'millwright unfreeze'. Pods",
            "still get nodes; nodes that expire, are sick, are taken back by the cloud or are",
            "deleted by somebody still go. Freezing twice is the same as once.",
            "",
            "Examples:",
            "  millwright freeze --reason \"release week\"",
            "  millwright freeze --nodepool batch,gpu --context production"
        })
final class FreezeCommand implements Callable<Integer> {

    private final ClusterDoor door;
    private final Terminal terminal;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description =
                    "Why, for those who wonder later; shown wherever a node is kept (default: what stands there, else who asked).")
    private @Nullable String reason;

    @Mixin private FreezeOptions options = new FreezeOptions();

    FreezeCommand(ClusterDoor door, Terminal terminal) {
        this.door = door;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        options.carryOut(door, terminal, (frost, pools) -> frost.freeze(pools, reason));
        return 0;
    }
}
