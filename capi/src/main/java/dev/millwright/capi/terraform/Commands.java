package dev.millwright.capi.terraform;

import dev.millwright.capi.runner.TerraformHost;
import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns.Phase;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Terraform's commands for one run: with its environment, in its folder, and told as they go.
final class Commands {

    /// Who the manager is in its cloud, where it lends that.
    private static final String LENT = "AWS_";

    private static final int MESSAGE_LENGTH_MAX = 1_000;

    /// The command whose words are a state, which holds secrets and is not left lying about.
    private static final String STATE = "state";

    private final RunOrder order;
    private final TerraformSettings settings;
    private final RunFolder folder;
    private final RunControl control;
    private final Mask mask;
    private final TreeMap<String, String> environment = new TreeMap<>();

    Commands(RunOrder order, TerraformSettings settings, RunFolder folder, RunControl control) {
        this.order = order;
        this.settings = settings;
        this.folder = folder;
        this.control = control;
        var about = folder.host().about();
        environment.putAll(about.environment());
        if (settings.lendsCredentials()) {
            settings.environment()
                    .forEach(
                            (name, value) -> {
                                if (name.startsWith(LENT)) {
                                    environment.put(name, value);
                                }
                            });
        }
        var secrets = new ArrayList<>(order.secrets());
        for (var name : List.of("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")) {
            secrets.add(environment.getOrDefault(name, ""));
        }
        mask = Mask.of(secrets);
        environment.put("USER", "millwright");
        environment.put("HOME", folder.path().toString());
        if (order.options().usesPluginCache()) {
            environment.put("TF_PLUGIN_CACHE_DIR", pluginCache().toString());
            environment.put("TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE", "1");
        }
        if (order.files().containsKey(".git-credentials")) {
            environment.put("GIT_CONFIG_COUNT", "1");
            environment.put("GIT_CONFIG_KEY_0", "credential.helper");
            environment.put(
                    "GIT_CONFIG_VALUE_0", "store --file=" + place().resolve(".git-credentials"));
        }
        if (!settings.lendsCredentials()) {
            // The node's identity is nobody's either; a template that wants it says so.
            environment.put("AWS_EC2_METADATA_DISABLED", "true");
        }
        environment.putAll(order.environment());
        environment.put("TF_IN_AUTOMATION", "1");
        environment.put("TF_INPUT", "0");
        environment.put("CHECKPOINT_DISABLE", "1");
        environment.put("TF_DATA_DIR", folder.data().toString());
        environment.remove("TF_WORKSPACE");
    }

    /// Where Terraform works.
    Path place() {
        return folder.work().resolve(order.options().entrypoint());
    }

    /// One for each namespace: what Terraform of one put there, that of another must not run.
    Path pluginCache() {
        var namespace = order.target().origin().namespace();
        return folder.host()
                .about()
                .root()
                .resolve("plugin-cache")
                .resolve(namespace.isEmpty() ? "-" : namespace);
    }

    Instant now() {
        return control.now();
    }

    /// All that a process of this run is given.
    Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    void set(String name, String value) {
        environment.put(name, value);
    }

    String masked(String text) {
        var plain = mask.without(text);
        return plain.length() <= MESSAGE_LENGTH_MAX
                ? plain
                : plain.substring(0, MESSAGE_LENGTH_MAX) + "…";
    }

    /// What a command told, and how it ended.
    ///
    /// @param lines of a command that tells a state, none of others
    record Told(TerraformHost.Ended ended, RunLog log, List<String> lines) {
        boolean isGood() {
            return ended.exit() == 0;
        }
    }

    /// How a command is shown while it goes on.
    record Shown(Phase phase, String verb, boolean isCreation) {}

    Told run(Shown shown, List<String> arguments, Runnable tick)
            throws IOException, InterruptedException {
        return run(shown, place(), arguments, tick);
    }

    Told run(Shown shown, Path place, List<String> arguments, Runnable tick)
            throws IOException, InterruptedException {
        if (control.isInterrupted()) {
            throw new RunEnd(stopped(shown.phase()));
        }
        var log = new RunLog();
        var lines = new ArrayList<String>();
        var name = arguments.getFirst();
        var isKept = name.equals(STATE);
        var observer = observer(shown, log, lines, isKept, tick);
        control.tell(shown.phase(), shown.verb(), shown.isCreation());
        var command =
                TerraformHost.Command.of(
                        place, arguments, environment, folder.logs(), settings.interruptWait());
        var ended = folder.host().run(command, observer);
        if (isKept) {
            folder.host().delete(command.out());
        }
        return new Told(ended, log, lines);
    }

    private TerraformHost.Observer observer(
            Shown shown, RunLog log, List<String> lines, boolean isKept, Runnable tick) {
        return new TerraformHost.Observer() {
            private long bytes;

            @Override
            public void line(String line) throws IOException {
                log.take(line);
                if (isKept) {
                    keep(line);
                }
                if (order.options().isLogged()) {
                    control.log(masked(line));
                }
            }

            private void keep(String line) throws IOException {
                bytes += line.length();
                if (bytes > RunFolder.BYTES_MAX) {
                    throw new IOException(
                            "the backend's state has more than %d MiB, the most that is read"
                                    .formatted(RunFolder.BYTES_MAX >> 20));
                }
                lines.add(line);
            }

            @Override
            public void tick() {
                control.tell(
                        shown.phase(),
                        masked(log.progress(shown.verb(), control.now())),
                        shown.isCreation());
                tick.run();
            }

            @Override
            public boolean isInterrupted() {
                return control.isInterrupted();
            }
        };
    }

    /// Ends the run with what the command told.
    RunEnd failed(Shown shown, Told told) {
        if (told.ended().wasInterrupted()) {
            return new RunEnd(stopped(shown.phase()));
        }
        var error = told.log().error();
        if (error != null) {
            return failed(shown, error);
        }
        if (told.ended().exit() > 128) {
            return failed(
                    shown,
                    "%s was killed by signal %d; its state is kept, and it goes on from there"
                            .formatted(
                                    folder.host().about().binary().name(),
                                    told.ended().exit() - 128));
        }
        var text = told.ended().errors();
        return failed(
                shown,
                text.isBlank()
                        ? "%s ended with %d".formatted(shown.verb(), told.ended().exit())
                        : RunLog.plainError(text));
    }

    RunEnd failed(Shown shown, String message) {
        return new RunEnd(new Result.Failed(shown.phase(), masked(message)));
    }

    private Result stopped(Phase phase) {
        return control.isTimedOut()
                ? new Result.Failed(
                        phase,
                        "took longer than %s and was interrupted; what was done is in the state"
                                .formatted(words(settings.timeout())))
                : new Result.Interrupted(phase);
    }

    private static String words(Duration duration) {
        return duration.toSeconds() % 60 == 0
                ? duration.toMinutes() + "m"
                : duration.toSeconds() + "s";
    }

    /// Ends a run in the middle, with what is to be told of it.
    static final class RunEnd extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Result result;

        RunEnd(Result result) {
            super("a run ended", null, false, false);
            this.result = result;
        }

        Result result() {
            return result;
        }
    }
}
