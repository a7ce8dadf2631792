package dev.millwright.kube.cache;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/// An API server whose objects keep changing, with all that goes wrong between it and a client:
/// lists that fail or expire between pages, watches cut off, too late or repeating themselves, and
/// history that is forgotten. After its last fault it tells all it has and ends the client.
final class FaultyServer implements KubeApi {

    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");
    private static final int PAGE = 2;

    private record Snapshot(List<Value.Mapping> items, int version) {}

    private final SplittableRandom random;
    private final TreeMap<String, Value.Mapping> objects = new TreeMap<>();
    private final List<WatchEvent> history = new ArrayList<>();

    /// Hears of a change as if it had made it, before any watch tells: answers to own writes.
    private final Consumer<WatchEvent> writer;

    private Snapshot snapshot = new Snapshot(List.of(), 0);
    private int forgotten;
    private int faultsLeft;

    FaultyServer(long seed, int faults, Consumer<WatchEvent> writer) {
        this.random = new SplittableRandom(seed);
        this.faultsLeft = faults;
        this.writer = writer;
    }

    /// Names and versions of all there is.
    List<String> state() {
        return objects.values().stream().map(FaultyServer::described).toList();
    }

    private static String described(Value.Mapping object) {
        var metadata = Metadata.of(object);
        return metadata.name().name() + "@" + metadata.resourceVersion();
    }

    private int version() {
        return history.size();
    }

    private boolean isFault(int percent) {
        if (faultsLeft == 0 || random.nextInt(100) >= percent) {
            return false;
        }
        faultsLeft--;
        return true;
    }

    private void change() {
        var name = NAMES.get(random.nextInt(NAMES.size()));
        var known = objects.get(name);
        var next = version() + 1;
        WatchEvent event;
        if (known != null && random.nextBoolean()) {
            objects.remove(name);
            event = new WatchEvent.Removed(object(name, Metadata.of(known).uid(), next));
        } else {
            var uid = known == null ? "uid-" + next : Metadata.of(known).uid();
            var object = object(name, uid, next);
            objects.put(name, object);
            event = new WatchEvent.Put(object);
        }
        history.add(event);
        if (random.nextInt(100) < 20) {
            writer.accept(event);
        }
        if (isFault(3)) {
            forgotten = version();
        }
    }

    private static Value.Mapping object(String name, String uid, int version) {
        return Tree.of(
                        "metadata",
                        Tree.of("name", name)
                                .put("uid", uid)
                                .put("resourceVersion", Integer.toString(version)))
                .mapping();
    }

    @Override
    public ListAnswer list(ResourceType type, ListQuery query) {
        if (isFault(20)) {
            return new ListAnswer.Failed("a fault");
        }
        var offset = 0;
        if (query.continueToken().isEmpty()) {
            snapshot = new Snapshot(List.copyOf(objects.values()), version());
        } else if (isFault(20)) {
            return new ListAnswer.Expired("a fault");
        } else {
            offset = Integer.parseInt(query.continueToken());
        }
        var end = Math.min(snapshot.items().size(), offset + PAGE);
        var token = end < snapshot.items().size() ? Integer.toString(end) : "";
        var page = snapshot.items().subList(offset, end);
        if (faultsLeft > 0) {
            change();
        }
        return new ListAnswer.Page(page, Integer.toString(snapshot.version()), token);
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        var from = Integer.parseInt(query.resourceVersion());
        var told = from;
        if (told < forgotten) {
            return WatchEnd.EXPIRED;
        }
        for (var changes = random.nextInt(8); changes > 0 && faultsLeft > 0; changes--) {
            change();
        }
        while (told < version()) {
            if (isFault(5)) {
                return WatchEnd.FAILED;
            }
            sink.accept(history.get(told));
            told++;
            if (isFault(10)) {
                sink.accept(history.get(random.nextInt(from, told)));
            }
            if (random.nextInt(4) == 0) {
                sink.accept(new WatchEvent.Bookmark(Integer.toString(told)));
            }
        }
        if (faultsLeft == 0) {
            Thread.currentThread().interrupt();
            return WatchEnd.CLOSED;
        }
        return isFault(30) ? WatchEnd.EXPIRED : isFault(30) ? WatchEnd.FAILED : WatchEnd.CLOSED;
    }

    @Override
    public ApiAnswer read(ResourceType type, ObjectName name) {
        throw new UnsupportedOperationException("reflectors do not read one object");
    }

    @Override
    public ApiAnswer write(ApiWrite write) {
        throw new UnsupportedOperationException("reflectors do not write");
    }
}
