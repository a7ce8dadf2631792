package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.terraform.Commands.Shown;
import dev.millwright.capi.workspace.TerraformRuns.Phase;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// State in a backend that Terraform alone knows how to get at.
final class PlainState implements StateKeeper {

    private static final String DEFAULT = "default";

    /// Terraform writes it where it cannot write to its backend.
    private static final String SAVED = "errored.tfstate";

    private static final Pattern ID = Pattern.compile("ID:\\s+(\\S+)");
    private static final Pattern WHO = Pattern.compile("Who:\\s+(\\S+)");
    private static final Pattern CREATED =
            Pattern.compile("Created:\\s+(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)");
    private static final DateTimeFormatter GO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ssX", Locale.ROOT);

    private final String workspace;
    private final Commands commands;
    private final RunFolder folder;
    private final TerraformSettings settings;
    private final @Nullable Path backendFile;
    private final @Nullable Unfinished earlier;

    /// @param earlier what a run that did not finish left
    PlainState(
            String workspace,
            Commands commands,
            RunFolder folder,
            TerraformSettings settings,
            @Nullable Path backendFile,
            @Nullable Unfinished earlier) {
        this.workspace = workspace;
        this.commands = commands;
        this.folder = folder;
        this.settings = settings;
        this.backendFile = backendFile;
        this.earlier = earlier;
    }

    @Override
    public List<String> initArguments() {
        var arguments = new ArrayList<>(List.of("-reconfigure"));
        if (backendFile != null) {
            arguments.add("-backend-config=" + backendFile);
        }
        return arguments;
    }

    @Override
    public void open() throws IOException, InterruptedException {
        if (!run("init: choosing the workspace", "workspace", "select", "-no-color", workspace)
                .isGood()) {
            must("init: making the workspace", "workspace", "new", "-no-color", workspace);
        }
        if (folder.host().files(commands.place()).contains(SAVED)) {
            // Terraform could not write its state at the end of an earlier run.
            must("init: writing an earlier state", "state", "push", SAVED);
            folder.host().delete(commands.place().resolve(SAVED));
        }
    }

    private Commands.Told run(String verb, String... arguments)
            throws IOException, InterruptedException {
        return commands.run(new Shown(Phase.INIT, verb, false), List.of(arguments), () -> {});
    }

    private Commands.Told must(String verb, String... arguments)
            throws IOException, InterruptedException {
        var told = run(verb, arguments);
        if (!told.isGood()) {
            throw commands.failed(new Shown(Phase.INIT, verb, false), told);
        }
        return told;
    }

    @Override
    public StateFile current() throws IOException, InterruptedException {
        var told = must("reading the state", "state", "pull");
        var state = StateFile.of(String.join("\n", told.lines()).strip().getBytes(UTF_8));
        if (state == null) {
            throw commands.failed(
                    new Shown(Phase.INIT, "reading the state", false),
                    "the backend's state is not one that Terraform writes");
        }
        return state;
    }

    @Override
    public @Nullable String lock() throws IOException {
        new Unfinished(null, "", earlier == null ? commands.now() : earlier.since()).write(folder);
        return null;
    }

    @Override
    public void save() {
        // Terraform does, every twenty seconds and at the end.
    }

    @Override
    public void unlock() throws IOException {
        folder.noteFinished();
    }

    @Override
    public Trouble trouble(Commands.Told told) throws IOException, InterruptedException {
        for (var error : told.log().errors()) {
            if (error.contains(KeptState.LOCK_ERROR)) {
                var id = first(ID, error);
                if (!id.isEmpty() && isGone(first(WHO, error), first(CREATED, error))) {
                    must("freeing the lock of a dead run", "force-unlock", "-force", id);
                    return new Trouble.Freed();
                }
                return new Trouble.Held(
                        "%s since %s (lock %s)"
                                .formatted(first(WHO, error), first(CREATED, error), id));
            }
        }
        return new Trouble.None();
    }

    private static String first(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        return matcher.find() ? String.valueOf(matcher.group(1)) : "";
    }

    /// A run of ours in this very folder died while it may have held the lock, it was taken since
    /// on this host, and no process of it is left: those were waited for.
    private boolean isGone(String who, String created) {
        if (earlier == null || !who.endsWith("@" + settings.host().name())) {
            return false;
        }
        try {
            var at = GO_TIME.parse(created + "Z", Instant::from);
            return !at.isBefore(earlier.since().minusSeconds(1));
        } catch (DateTimeParseException unknown) {
            return false;
        }
    }

    @Override
    public void remove() throws IOException, InterruptedException {
        if (!workspace.equals(DEFAULT)) {
            must("leaving the workspace", "workspace", "select", "-no-color", DEFAULT);
            must("removing the workspace", "workspace", "delete", "-no-color", workspace);
        }
    }
}
