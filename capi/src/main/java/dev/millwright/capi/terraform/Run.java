package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.runner.TerraformHost;
import dev.millwright.capi.terraform.Commands.RunEnd;
import dev.millwright.capi.terraform.Commands.Shown;
import dev.millwright.capi.terraform.StateKeeper.Trouble;
import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.RunOutcome;
import dev.millwright.capi.workspace.RunOutcome.Change;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns.Phase;
import dev.millwright.kube.grant.ReferencePolicy;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// One run from beginning to end: wait for what an earlier process left, initialise, plan, and
/// apply or destroy where that is wanted.
final class Run {

    private static final Shown INIT = new Shown(Phase.INIT, "init", false);
    private static final Shown PLAN = new Shown(Phase.PLAN, "plan", false);
    private static final Shown DESTROY = new Shown(Phase.DESTROY, "destroy", false);
    private static final long ORPHAN_TICK_MILLIS = 200;

    /// Names that an order may give to files.
    private static final Pattern OURS =
            Pattern.compile(
                    "main\\.tf(\\.json)?|crossplane-provider-config\\.tf|varmap\\.tfvars\\.json|varfile-\\d+\\.tfvars(\\.json)?");

    /// What Terraform takes as the name of a workspace; it becomes the name of a folder.
    private static final Pattern WORKSPACE = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}");

    private final RunOrder order;
    private final Shared shared;
    private final RunControl control;
    private final RunFolder folder;
    private final Commands commands;
    private List<String> doubtful = List.of();

    /// What all runs of a process have in common.
    ///
    /// @param references whether a module may name a backend in another namespace
    /// @param initLock Terraform's plug-in cache bears one writer at a time
    /// @param isRunning whether a run of this process works in that folder
    record Shared(
            TerraformHost host,
            TerraformSettings settings,
            ClusterState cluster,
            ReferencePolicy references,
            ReentrantLock initLock,
            Predicate<Path> isRunning) {}

    Run(RunOrder order, Shared shared, RunControl control) {
        this.order = order;
        this.shared = shared;
        this.control = control;
        this.folder = folder(shared.host(), shared.settings(), order.target().uid());
        this.commands = new Commands(order, shared.settings(), folder, control);
    }

    static RunFolder folder(TerraformHost host, TerraformSettings settings, String uid) {
        return new RunFolder(
                host, folders(host).resolve(uid), settings.notes().resolve(uid + ".json"));
    }

    static Path folders(TerraformHost host) {
        return host.about().root().resolve("workspaces");
    }

    RunOutcome go() throws InterruptedException {
        control.limit(shared.settings().timeout());
        Result result;
        try (var _ = shared.host().hold()) {
            result = steps();
        } catch (RunEnd end) {
            result = end.result();
        } catch (IOException failure) {
            result =
                    new Result.Failed(
                            control.progress().phase(),
                            commands.masked("folder %s: %s".formatted(folder.path(), failure)));
        }
        return new RunOutcome(result, order.target().generation(), control.now(), doubtful);
    }

    private Result steps() throws IOException, InterruptedException {
        var workspace = order.target().workspace();
        if (!WORKSPACE.matcher(workspace).matches()) {
            throw new RunEnd(
                    new Result.Failed(
                            Phase.WAITING,
                            "external-name \"%s\" is no name that Terraform takes; wanted letters, digits, - _ and ."
                                    .formatted(commands.masked(workspace))));
        }
        shared.host().makeFolder(folder.path());
        awaitOrphans();
        var unfinished = recover();
        prepare();
        var state = keeper(unfinished);
        if (order.aim().mayDestroy() && state instanceof KeptState kept) {
            kept.open();
            if (kept.current().isEmpty()) {
                kept.remove();
                return new Result.Destroyed();
            }
        }
        var checksum = initialise(state);
        state.open();
        return order.aim().mayDestroy() ? destroy(state) : planAndApply(state, checksum);
    }

    /// A Terraform of a process that is gone: nobody doubles it, and its state is ours to save.
    private void awaitOrphans() throws IOException, InterruptedException {
        var isAsked = false;
        var left = shared.host().working(folder.path());
        while (left.stream().anyMatch(each -> !each.isPlugin())) {
            control.tell(
                    Phase.WAITING,
                    "waits for terraform of an earlier process (pid %d)"
                            .formatted(left.getFirst().pid()),
                    false);
            var isUnwanted = control.isInterrupted() || order.aim().mayDestroy();
            if (isUnwanted && !isAsked) {
                shared.host().end(folder.path(), false);
                isAsked = true;
            }
            if (control.isTimedOut()) {
                throw new RunEnd(
                        new Result.Failed(
                                Phase.WAITING,
                                "terraform of an earlier process (pid %d) does not end"
                                        .formatted(left.getFirst().pid())));
            }
            Thread.sleep(ORPHAN_TICK_MILLIS);
            left = shared.host().working(folder.path());
        }
        if (!left.isEmpty()) {
            shared.host().end(folder.path(), true);
        }
    }

    private @Nullable Unfinished recover() throws IOException {
        var unfinished = Unfinished.read(folder);
        if (unfinished == null) {
            folder.noteFinished();
            return null;
        }
        var log = new RunLog();
        for (var name : List.of("apply.out", "destroy.out")) {
            var words = shared.host().read(folder.logs().resolve(name), RunFolder.BYTES_MAX);
            new String(words, UTF_8).lines().forEach(log::take);
        }
        doubtful = log.creating();
        var noted = unfinished.place();
        if (noted != null) {
            var earlier = earlier(null);
            new KeptState(
                            noted.equals(earlier) ? own() : noted,
                            noted.equals(earlier) ? earlier : null,
                            StateOwner.of(order.target()),
                            shared.cluster(),
                            folder,
                            scene())
                    .recover(unfinished.lock());
        }
        return unfinished;
    }

    private StatePlace own() {
        var target = order.target();
        return StatePlace.own(shared.settings().namespace(), target.key(), target.workspace());
    }

    private @Nullable StatePlace place(BackendScan.@Nullable Backend backend) {
        var target = order.target();
        return StatePlace.of(
                backend, shared.settings().namespace(), target.key(), target.workspace());
    }

    private @Nullable StatePlace earlier(BackendScan.@Nullable Backend backend) {
        var target = order.target();
        return StatePlace.earlier(
                backend, shared.settings().namespace(), target.key(), target.workspace());
    }

    private KeptState.Scene scene() {
        return new KeptState.Scene(shared.settings(), control, shared.isRunning());
    }

    /// The folder as the order wants it. Nothing is written that stands there already, so that
    /// Terraform's own files beside it stay.
    private void prepare() throws IOException, InterruptedException {
        switch (order.module()) {
            case RunOrder.Module.Inline() -> shared.host().makeFolder(commands.place());
            case RunOrder.Module.Address(var address) ->
                    new ModuleFetch(commands, folder).fetch(address);
        }
        if (!shared.host().isFolder(commands.place())) {
            throw new RunEnd(
                    new Result.Failed(
                            Phase.INIT,
                            "the module has no folder \"%s\", which entrypoint names"
                                    .formatted(order.options().entrypoint())));
        }
        var wanted = order.files();
        for (var entry : wanted.entrySet()) {
            folder.put(commands.place().resolve(entry.getKey()), entry.getValue());
        }
        removeStale();
        if (order.options().usesPluginCache()) {
            shared.host().makeFolder(commands.pluginCache());
        }
    }

    /// Files of an earlier order that this one has not: they may hold secrets.
    private void removeStale() throws IOException {
        for (var name : shared.host().files(commands.place())) {
            if (OURS.matcher(name).matches() && !order.files().containsKey(name)) {
                var isModules =
                        name.startsWith("main.")
                                && order.module() instanceof RunOrder.Module.Address;
                if (!isModules) {
                    shared.host().delete(commands.place().resolve(name));
                }
            }
        }
    }

    private StateKeeper keeper(@Nullable Unfinished unfinished) throws IOException {
        var found = BackendScan.find(folder, commands.place(), order.options().backendFile());
        var backend = found == null ? null : found.backend();
        var target = order.target();
        var place = place(backend);
        var override = commands.place().resolve("millwright_override.tf");
        if (place != null) {
            if (found != null) {
                checkBackend(place, found.file());
            }
            var kept =
                    new KeptState(
                            place,
                            earlier(backend),
                            StateOwner.of(target),
                            shared.cluster(),
                            folder,
                            scene());
            folder.put(override, kept.override().getBytes(UTF_8));
            commands.set("TF_WORKSPACE", place.workspace());
            return kept;
        }
        shared.host().delete(override);
        var file = folder.path().resolve("backend.tfbackend");
        if (!order.options().backendFile().isEmpty()) {
            folder.put(file, order.options().backendFile().getBytes(UTF_8));
        }
        return new PlainState(
                target.workspace(),
                commands,
                folder,
                shared.settings(),
                order.options().backendFile().isEmpty() ? null : file,
                unfinished);
    }

    /// We get at that Secret with our own rights. A config of the cluster may name any; what
    /// belongs to a namespace may name that one's, also where its module brings a file that
    /// Terraform reads instead of the config's.
    private void checkBackend(StatePlace place, String file) {
        var isOfCluster =
                order.options().isConfigOfCluster()
                        && (file.equals(RunOrder.CONFIG_FILE)
                                || BackendScan.attributes(order.options().backendFile())
                                        .containsKey("namespace"));
        var refusal =
                isOfCluster
                        ? null
                        : shared.references()
                                .refusal(
                                        order.target().origin(),
                                        new ReferencePolicy.To(
                                                "the backend of the module",
                                                "",
                                                "Secret",
                                                place.secret()));
        if (refusal != null) {
            throw commands.failed(INIT, refusal);
        }
    }

    /// Skipped when nothing has changed that it looks at.
    private String initialise(StateKeeper state) throws IOException, InterruptedException {
        var values = new TreeSet<String>();
        for (var name : order.files().keySet()) {
            if (!name.endsWith(".tf") && !name.endsWith(".tf.json")) {
                values.add(name);
            }
        }
        var arguments = new ArrayList<>(List.of("init", "-input=false", "-no-color"));
        arguments.addAll(state.initArguments());
        arguments.addAll(order.arguments().init());
        var more =
                "%s %s %s"
                        .formatted(
                                shared.host().about().binary().version(),
                                arguments,
                                order.options().backendFile());
        var checksum = shared.host().checksum(folder.work(), values, more);
        var known = order.options().knownChecksum();
        var isDone =
                folder.text(folder.initialised()).equals(checksum)
                        && (known.isEmpty() || known.equals(checksum));
        if (!isDone) {
            shared.host().delete(folder.initialised());
            init(arguments);
            shared.host().write(folder.initialised(), checksum.getBytes(UTF_8));
        }
        return checksum;
    }

    private void init(List<String> arguments) throws IOException, InterruptedException {
        control.tell(Phase.INIT, "init: waits for another", false);
        while (!shared.initLock().tryLock(ORPHAN_TICK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (control.isInterrupted()) {
                break; // Told by the command, which does not begin then.
            }
        }
        try {
            must(INIT, commands.run(INIT, arguments, () -> {}));
        } finally {
            if (shared.initLock().isHeldByCurrentThread()) {
                shared.initLock().unlock();
            }
        }
    }

    private Commands.Told must(Shown shown, Commands.Told told) {
        if (!told.isGood()) {
            throw commands.failed(shown, told);
        }
        return told;
    }

    private Result planAndApply(StateKeeper state, String checksum)
            throws IOException, InterruptedException {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "plan",
                                "-json",
                                "-input=false",
                                "-lock=false",
                                "-detailed-exitcode"));
        arguments.addAll(order.arguments().variables());
        arguments.addAll(order.arguments().plan());
        var before = state.current();
        var plan = commands.run(PLAN, arguments, () -> {});
        var drifted = plan.log().drifted();
        return switch (plan.ended().exit()) {
            case 0 -> settled(before, false, Change.NONE, "", checksum, drifted);
            case 2 -> {
                var may = before.isEmpty() ? order.aim().mayCreate() : order.aim().mayUpdate();
                if (!may) {
                    yield settled(before, true, Change.NONE, "", checksum, drifted);
                }
                var shown = new Shown(Phase.APPLY, "apply", before.isEmpty());
                var told = change(state, shown, order.arguments().apply());
                yield settled(
                        state.current(),
                        false,
                        before.isEmpty() ? Change.CREATED : Change.UPDATED,
                        told.log().summary(),
                        checksum,
                        drifted);
            }
            default -> {
                // Plug-ins or modules may be gone: the next run looks for them.
                shared.host().delete(folder.initialised());
                throw commands.failed(PLAN, plan);
            }
        };
    }

    private Result settled(
            StateFile state,
            boolean differs,
            Change change,
            String summary,
            String checksum,
            List<String> drifted) {
        return new Result.Settled(
                !state.isEmpty(),
                differs,
                change,
                commands.masked(summary),
                state.outputs(),
                checksum,
                drifted);
    }

    /// Apply or destroy, under the lock.
    private Commands.Told change(StateKeeper state, Shown shown, List<String> more)
            throws IOException, InterruptedException {
        var arguments =
                new ArrayList<>(List.of(shown.verb(), "-json", "-input=false", "-auto-approve"));
        arguments.addAll(order.arguments().variables());
        arguments.addAll(more);
        var holder = state.lock();
        if (holder != null) {
            throw new RunEnd(new Result.Held(holder));
        }
        var told = commands.run(shown, arguments, state::save);
        var trouble = state.trouble(told);
        if (trouble instanceof Trouble.Freed) {
            told = commands.run(shown, arguments, state::save);
            trouble = state.trouble(told);
        }
        if (told.ended().exit() > 128) {
            doubtful = told.log().creating();
        }
        if (!(state instanceof PlainState) || told.ended().exit() <= 128) {
            state.unlock(); // Where Terraform took the lock and died, the next run must know.
        }
        if (trouble instanceof Trouble.Held(var by)) {
            throw new RunEnd(new Result.Held(by));
        }
        return must(shown, told);
    }

    private Result destroy(StateKeeper state) throws IOException, InterruptedException {
        if (!state.current().isEmpty()) {
            change(state, DESTROY, order.arguments().destroy());
        }
        if (!state.current().isEmpty()) {
            throw commands.failed(
                    DESTROY, "something is left in the state after everything was destroyed");
        }
        state.remove();
        return new Result.Destroyed();
    }
}
