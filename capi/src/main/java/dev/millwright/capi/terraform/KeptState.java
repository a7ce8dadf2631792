package dev.millwright.capi.terraform;

import dev.millwright.capi.terraform.Commands.RunEnd;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns.Phase;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/// State that we keep in the cluster ourselves, in the layout of Terraform's backend `kubernetes`.
///
/// Terraform works on a file. It writes that after each resource, where to a backend it would write
/// every twenty seconds, and so a process that is killed loses nothing but what it was just doing.
/// We carry the file to the cluster as it grows.
final class KeptState implements StateKeeper {

    /// How long a change of the file waits at most until it is in the cluster.
    private static final Duration SAVE_EVERY = Duration.ofSeconds(1);

    private static final int SAVE_TRIES = 5;

    /// How Terraform calls it.
    static final String LOCK_ERROR = "acquiring the state lock";

    private final StatePlace place;
    private final @Nullable StatePlace earlier;
    private final StateOwner owner;
    private final ClusterState cluster;
    private final RunFolder folder;
    private final Scene scene;
    private long savedSerial = Long.MIN_VALUE;
    private Instant savedAt = Instant.EPOCH;
    private String lockId = "";

    /// Who and where we are.
    ///
    /// @param isRunning whether this process runs a Workspace in that folder
    record Scene(TerraformSettings settings, RunControl control, Predicate<Path> isRunning) {}

    /// @param earlier where an earlier version kept it; null where that is the same
    KeptState(
            StatePlace place,
            @Nullable StatePlace earlier,
            StateOwner owner,
            ClusterState cluster,
            RunFolder folder,
            Scene scene) {
        this.place = place;
        this.earlier = earlier;
        this.owner = owner;
        this.cluster = cluster;
        this.folder = folder;
        this.scene = scene;
    }

    Path file() {
        return place.workspace().equals("default")
                ? folder.states().resolve("default.tfstate")
                : folder.states().resolve(place.workspace()).resolve("terraform.tfstate");
    }

    /// The configuration that leads Terraform to the file, whatever backend is named elsewhere.
    String override() {
        return """
        terraform {
          backend "local" {
            path          = "%s"
            workspace_dir = "%s"
          }
        }
        """
                .formatted(folder.states().resolve("default.tfstate"), folder.states());
    }

    @Override
    public List<String> initArguments() throws IOException {
        folder.host().makeFolder(parent());
        return List.of("-reconfigure");
    }

    private Path parent() {
        var parent = file().getParent();
        return parent == null ? folder.states() : parent;
    }

    @Override
    public void open() throws IOException {
        folder.host().makeFolder(parent());
        switch (cluster.read(place, owner)) {
            case ClusterState.Read.Failed(var message) -> throw failed(message);
            case ClusterState.Read.Found(var found, var isThere) -> {
                var state = isThere || earlier == null ? found : carried(earlier);
                if (state.bytes().length == 0) {
                    folder.host().delete(file());
                } else {
                    folder.host().write(file(), state.bytes());
                }
                savedSerial = state.serial();
            }
        }
    }

    /// From the name that an earlier version used to ours: written here before it is deleted there.
    /// A death in between leaves both, of which ours counts.
    private StateFile carried(StatePlace from) throws IOException {
        return switch (cluster.readEarlier(from)) {
            case ClusterState.Read.Failed(var message) -> throw failed(message);
            case ClusterState.Read.Found(var state, var isThere) -> {
                if (isThere) {
                    carry(from, state);
                }
                yield state;
            }
        };
    }

    private void carry(StatePlace from, StateFile state) throws IOException {
        var info = info(UUID.randomUUID().toString());
        switch (taken(from, info)) {
            case ClusterState.Lock.Held(_, var by, _) ->
                    throw new RunEnd(new Result.Held(by.describe()));
            case ClusterState.Lock.Failed(var message) -> throw failed(message);
            case ClusterState.Lock.Taken() -> {
                var failure = cluster.write(place, owner, state);
                if (failure.isEmpty()) {
                    failure = cluster.delete(from);
                }
                if (!failure.isEmpty()) {
                    cluster.unlock(from, info.id());
                    throw failed(failure);
                }
            }
        }
    }

    private static RunEnd failed(String message) {
        return new RunEnd(new Result.Failed(Phase.WAITING, message));
    }

    @Override
    public StateFile current() throws IOException {
        var state = StateFile.of(folder.read(file()));
        if (state != null) {
            return state;
        }
        // Torn by a death in the middle of a write: the cluster has the one before.
        return switch (cluster.read(place, owner)) {
            case ClusterState.Read.Failed(var message) -> throw failed(message);
            case ClusterState.Read.Found(var kept, _) -> kept;
        };
    }

    @Override
    public @Nullable String lock() throws IOException {
        var id = UUID.randomUUID().toString();
        new Unfinished(place, id, scene.control().now()).write(folder);
        lockId = id;
        return switch (taken(place, info(id))) {
            case ClusterState.Lock.Taken() -> reread();
            case ClusterState.Lock.Held(_, var by, _) -> {
                folder.noteFinished();
                yield by.describe();
            }
            case ClusterState.Lock.Failed(var message) -> {
                folder.noteFinished();
                throw failed(message);
            }
        };
    }

    private LockInfo info(String id) {
        var host = scene.settings().host();
        return new LockInfo(
                id,
                "OperationTypeApply",
                Holder.here(host, folder.path()).words(),
                "millwright@" + host.name(),
                folder.host().about().binary().version(),
                scene.control().now().toString());
    }

    /// A lock whose holder is certainly gone is ours to take.
    private ClusterState.Lock taken(StatePlace from, LockInfo info) throws IOException {
        var lock = cluster.lock(from, info, "");
        return lock instanceof ClusterState.Lock.Held(var heldId, var by, _) && isGone(by)
                ? cluster.lock(from, info, heldId)
                : lock;
    }

    /// Who held the lock before us may have changed the state since we read it.
    private @Nullable String reread() throws IOException {
        open();
        return null;
    }

    /// Only when it is certain: a process of ours that is no more, or a pod of ours that is no
    /// more. Of all others nothing is known.
    private boolean isGone(LockInfo info) throws IOException {
        var holder = Holder.of(info.info());
        if (holder == null) {
            return false;
        }
        if (!holder.isOn(scene.settings().host())) {
            return holder.host().isPod()
                    && cluster.isPodGone(scene.settings().namespace(), holder.host().name());
        }
        return holder.isThisProcess()
                ? !scene.isRunning().test(holder.folder())
                : holder.isDead(folder.host());
    }

    @Override
    public void save() {
        var now = scene.control().now();
        if (now.isBefore(savedAt.plus(SAVE_EVERY))) {
            return;
        }
        savedAt = now;
        try {
            var state = StateFile.of(folder.read(file()));
            if (state != null
                    && state.serial() > savedSerial
                    && cluster.write(place, owner, state).isEmpty()) {
                savedSerial = state.serial();
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void unlock() throws IOException, InterruptedException {
        var state = StateFile.of(folder.read(file()));
        var failure = "";
        for (var tries = 0; tries < SAVE_TRIES; tries++) {
            failure =
                    state == null || state.serial() <= savedSerial
                            ? ""
                            : cluster.write(place, owner, state);
            if (failure.isEmpty()) {
                break;
            }
            Thread.sleep(SAVE_EVERY.toMillis() << tries);
        }
        if (!failure.isEmpty()) {
            // The mark stays, and with it the file: the next run carries it over first.
            throw failed(failure + "; it lies in the folder of the Workspace and is tried again");
        }
        if (state != null) {
            savedSerial = state.serial();
        }
        var left = cluster.unlock(place, lockId);
        if (left.isEmpty()) {
            folder.noteFinished();
        }
    }

    @Override
    public Trouble trouble(Commands.Told told) {
        // Of the file itself, which a Terraform that nobody found still has.
        return told.log().errors().stream().anyMatch(each -> each.contains(LOCK_ERROR))
                ? new Trouble.Held("another process in the folder of this Workspace")
                : new Trouble.None();
    }

    @Override
    public void remove() throws IOException {
        var failure = cluster.delete(place);
        if (failure.isEmpty()
                && earlier != null
                && cluster.readEarlier(earlier) instanceof ClusterState.Read.Found(_, var isThere)
                && isThere) {
            failure = cluster.delete(earlier); // Left by a death while it was carried over.
        }
        if (!failure.isEmpty()) {
            throw failed(failure);
        }
        folder.host().delete(folder.states());
    }

    /// Carries over what an earlier process left.
    void recover(String earlierLock) throws IOException {
        var written = StateFile.of(folder.read(file()));
        if (earlier != null) {
            free(earlier, earlierLock);
        }
        switch (cluster.read(place, owner)) {
            case ClusterState.Read.Failed(var message) -> throw failed(message);
            case ClusterState.Read.Found(var found, var isThere) -> {
                var state = isThere || earlier == null ? found : carried(earlier);
                if (written != null && written.serial() > state.serial()) {
                    var failure = cluster.write(place, owner, written);
                    if (!failure.isEmpty()) {
                        throw failed(failure);
                    }
                }
            }
        }
        free(place, earlierLock);
        folder.noteFinished();
    }

    private void free(StatePlace from, String lock) {
        var failure = cluster.unlock(from, lock);
        if (!failure.isEmpty()) {
            throw failed("lock of an earlier run cannot be freed: " + failure);
        }
    }
}
