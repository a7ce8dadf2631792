package dev.millwright.testing.kit.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// An API server that says what it was told to, in that order, whatever it is asked; and keeps what
/// it was asked. After its last line it interrupts the thread that asks for more, so a loop that
/// runs for ever ends with the script.
public final class ScriptedKubeApi implements KubeApi {

    /// How a watch goes.
    @FunctionalInterface
    public interface Watch {
        WatchEnd run(WatchSink sink);
    }

    private final Deque<ListAnswer> lists = new ArrayDeque<>();
    private final Deque<Watch> watches = new ArrayDeque<>();
    private final Deque<ApiAnswer> reads = new ArrayDeque<>();
    private final Deque<ApiAnswer> writes = new ArrayDeque<>();
    private final List<ListQuery> listed = new ArrayList<>();
    private final List<WatchQuery> watched = new ArrayList<>();
    private final List<ApiWrite> written = new ArrayList<>();

    public synchronized ScriptedKubeApi list(ListAnswer... answers) {
        lists.addAll(Arrays.asList(answers));
        return this;
    }

    public synchronized ScriptedKubeApi watch(Watch watch) {
        watches.add(watch);
        return this;
    }

    /// A watch that tells these and then ends so.
    public ScriptedKubeApi watch(WatchEnd end, WatchEvent... events) {
        return watch(
                sink -> {
                    for (var event : events) {
                        if (!sink.accept(event)) {
                            return WatchEnd.CLOSED;
                        }
                    }
                    return end;
                });
    }

    /// A watch that tells nothing and does not end. `hanging` opens when it hangs.
    public ScriptedKubeApi watchThatHangs(CountDownLatch hanging) {
        return watch(
                _ -> {
                    hanging.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    return WatchEnd.CLOSED;
                });
    }

    public synchronized ScriptedKubeApi read(ApiAnswer answer) {
        reads.add(answer);
        return this;
    }

    public synchronized ScriptedKubeApi write(ApiAnswer answer) {
        writes.add(answer);
        return this;
    }

    public synchronized List<ListQuery> listed() {
        return List.copyOf(listed);
    }

    public synchronized List<WatchQuery> watched() {
        return List.copyOf(watched);
    }

    /// The versions that watches began from.
    public List<String> watchedFrom() {
        return watched().stream().map(WatchQuery::resourceVersion).toList();
    }

    public synchronized List<ApiWrite> written() {
        return List.copyOf(written);
    }

    private static <T> T next(Deque<T> script, T afterwards) {
        var line = script.poll();
        if (line == null) {
            Thread.currentThread().interrupt();
            return afterwards;
        }
        return line;
    }

    @Override
    public synchronized ApiAnswer read(ResourceType type, ObjectName name) {
        return next(reads, new ApiAnswer.Unreachable("the script is over"));
    }

    @Override
    public synchronized ApiAnswer write(ApiWrite write) {
        written.add(write);
        return next(writes, new ApiAnswer.Unreachable("the script is over"));
    }

    @Override
    public synchronized ListAnswer list(ResourceType type, ListQuery query) {
        listed.add(query);
        return next(lists, new ListAnswer.Failed("the script is over"));
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        Watch watch;
        synchronized (this) {
            watched.add(query);
            watch = next(watches, _ -> WatchEnd.CLOSED);
        }
        return watch.run(sink);
    }
}
