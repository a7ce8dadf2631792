package dev.millwright.capi.terraform;

import dev.millwright.capi.runner.TerraformHost;
import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.RunOutcome;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.loop.Outside;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Runs of real Terraform, each on a thread of its own, so many at once as the settings say. One
/// that is ordered beyond that waits its turn.
public final class Runs implements TerraformRuns, AutoCloseable {

    private final TerraformHost host;
    private final TerraformSettings settings;
    private final Run.Shared shared;
    private final Outside.Bell bell;
    private final Outside.Diary diary;
    private final InstantSource clock;
    private final ExecutorService threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, RunControl> running = new HashMap<>();
    private final Map<String, RunOutcome> ended = new HashMap<>();

    /// @param bell rings the controller that ordered a run
    public Runs(
            TerraformHost host,
            TerraformSettings settings,
            KubeApi api,
            ReferencePolicy references,
            Outside.Bell bell,
            Outside.Diary diary,
            InstantSource clock) {
        this.host = host;
        this.settings = settings;
        this.bell = bell;
        this.diary = diary;
        this.clock = clock;
        this.shared =
                new Run.Shared(
                        host,
                        settings,
                        new ClusterState(api),
                        references,
                        new ReentrantLock(),
                        this::isRunning);
        this.threads =
                Executors.newFixedThreadPool(
                        settings.runsMax(),
                        Thread.ofPlatform().daemon().name("terraform-", 0).factory());
    }

    private boolean isRunning(Path folder) {
        lock.lock();
        try {
            return running.containsKey(String.valueOf(folder.getFileName()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Look look(String uid) {
        lock.lock();
        try {
            var control = running.get(uid);
            if (control != null) {
                return new Look.Running(control.progress());
            }
            var outcome = ended.get(uid);
            return outcome == null ? new Look.Idle() : new Look.Ended(outcome);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start(RunOrder order) {
        var target = order.target();
        lock.lock();
        try {
            if (running.containsKey(target.uid())
                    || ended.containsKey(target.uid())
                    || threads.isShutdown()) {
                return;
            }
            var control =
                    new RunControl(
                            order.aim().mayDestroy(),
                            clock,
                            () -> bell.ring(target.controller(), target.key()),
                            line ->
                                    diary.say(
                                            LogLevel.INFO,
                                            "terraform said",
                                            List.of(
                                                    "Workspace",
                                                    target.key().toString(),
                                                    "line",
                                                    line)));
            running.put(target.uid(), control);
            threads.execute(() -> run(order, control));
        } finally {
            lock.unlock();
        }
    }

    private void run(RunOrder order, RunControl control) {
        RunOutcome outcome;
        try {
            outcome = new Run(order, shared, control).go();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            outcome = outcome(order, new Result.Interrupted(control.progress().phase()));
        } catch (RuntimeException bug) {
            diary.say(
                    LogLevel.ERROR,
                    "a run threw, which is a bug; it is tried again",
                    List.of("Workspace", order.target().key().toString(), "error", bug.toString()));
            outcome =
                    outcome(
                            order,
                            new Result.Failed(
                                    control.progress().phase(), bug.getClass().getName()));
        }
        var target = order.target();
        lock.lock();
        try {
            running.remove(target.uid());
            ended.put(target.uid(), outcome);
        } finally {
            lock.unlock();
        }
        bell.ring(target.controller(), target.key());
    }

    private RunOutcome outcome(RunOrder order, Result result) {
        return new RunOutcome(result, order.target().generation(), clock.instant(), List.of());
    }

    @Override
    public void interrupt(String uid) {
        lock.lock();
        try {
            var control = running.get(uid);
            if (control != null) {
                control.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void settle(String uid) {
        lock.lock();
        try {
            ended.remove(uid);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void collect(Set<String> uids) {
        try {
            for (var uid : host.folders(Run.folders(host))) {
                var folder = Run.folder(host, settings, uid);
                var isKept =
                        uids.contains(uid)
                                || isRunning(folder.path())
                                || folder.unfinished().length > 0
                                || !host.working(folder.path()).isEmpty();
                if (!isKept) {
                    settle(uid);
                    host.delete(folder.path());
                }
            }
        } catch (IOException failure) {
            diary.say(
                    LogLevel.WARN,
                    "folders of workspaces cannot be collected",
                    List.of("error", failure.toString()));
        }
    }

    /// Interrupts every run and waits for them, up to the bound. One that has not ended by then is
    /// left to itself: whoever comes next finds it.
    public void close(Duration most) throws InterruptedException {
        lock.lock();
        try {
            threads.shutdown();
            running.values().forEach(RunControl::interrupt);
        } finally {
            lock.unlock();
        }
        if (!threads.awaitTermination(most.toMillis(), TimeUnit.MILLISECONDS)) {
            diary.say(
                    LogLevel.WARN,
                    "terraform still runs at the end of this process; the next one waits for it",
                    List.of());
        }
    }

    @Override
    public void close() {
        try {
            close(settings.interruptWait());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
