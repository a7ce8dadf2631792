package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.util.concurrent.Callable;

/// Lets voluntary disruption go on.
@Command(
        name = "unfreeze",
        description = "Let nodes go by choice again.",
        sortOptions = false,
        footer = {
            "",
            "A NodePool that was frozen by its name stays so until it is released by its name.",
            "Releasing what is not frozen changes nothing.",
            "",
            "Examples:",
            "  millwright unfreeze",
            "  millwright unfreeze --nodepool batch"
        })
final class UnfreezeCommand implements Callable<Integer> {

    private final ClusterDoor door;
    private final Terminal terminal;

    @Mixin private FreezeOptions options = new FreezeOptions();

    UnfreezeCommand(ClusterDoor door, Terminal terminal) {
        this.door = door;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        options.carryOut(door, terminal, FreezeSwitch::unfreeze);
        return 0;
    }
}
