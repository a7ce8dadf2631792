package dev.millwright.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The one entry point.
@Command(
        name = "millwright",
        description = "A node autoscaler for Kubernetes.",
        mixinStandardHelpOptions = true,
        version = "millwright 0.1.0-SNAPSHOT")
public final class Main implements Runnable {

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
