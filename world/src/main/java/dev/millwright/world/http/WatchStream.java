package dev.millwright.world.http;

import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.KubeApi.WatchQuery;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.store.Watching;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Tells one client of changes, a line each, until it goes or its time is up.
final class WatchStream {

    /// Changes asked for at once.
    private static final int BATCH = 500;

    /// Where a client states no time: as long as a real server would.
    private static final long SECONDS_DEFAULT = 1_800;

    /// Between two looks, so that a fast world is not asked without end.
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final WorldThread thread;
    private final Request request;
    private final Target target;
    private final Tables tables;

    /// Objects told of: the first telling of one is an addition.
    private final Set<String> known = new HashSet<>();

    WatchStream(WorldThread thread, Request request, Target target, Tables tables) {
        this.thread = thread;
        this.request = request;
        this.target = target;
        this.tables = tables;
    }

    /// @throws IllegalArgumentException when the selectors or the version cannot be read
    Watching begin(ApiStore store) throws InterruptedException {
        var fields = request.parameter("fieldSelector");
        var byName = target.name().isEmpty() ? fields : "metadata.name=" + target.name();
        var query =
                new WatchQuery(
                        target.namespace(),
                        request.parameter("labelSelector"),
                        byName,
                        request.parameter("resourceVersion"),
                        Duration.ZERO);
        return thread.ask(() -> Watching.from(store, target.type(), query));
    }

    void tell(Watching watching, OutputStream stream) throws IOException, InterruptedException {
        var stated = request.parameter("timeoutSeconds");
        var seconds = stated.isEmpty() ? SECONDS_DEFAULT : Long.parseLong(stated);
        var endNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        while (System.nanoTime() < endNanos) {
            var lines = thread.ask(() -> lines(watching));
            if (lines == null) {
                write(stream, line("ERROR", expired()));
                return;
            }
            for (var line : lines) {
                write(stream, line);
            }
            stream.flush();
            Thread.sleep(PAUSE);
        }
        if (request.has("allowWatchBookmarks")) {
            write(stream, thread.ask(() -> bookmark(watching)));
            stream.flush();
        }
    }

    private static void write(OutputStream stream, Value line) throws IOException {
        stream.write(JsonWriter.bytes(line));
        stream.write('\n');
    }

    /// Null when the changes are forgotten.
    private @Nullable List<Value> lines(Watching watching) {
        var events = watching.next(BATCH);
        if (events == null) {
            return null;
        }
        var lines = new ArrayList<Value>();
        for (var event : events) {
            switch (event) {
                case WatchEvent.Put(var object) -> {
                    var isNew = known.add(Trees.meta(object, "uid"));
                    lines.add(line(isNew ? "ADDED" : "MODIFIED", shown(object)));
                }
                case WatchEvent.Removed(var object) -> {
                    known.remove(Trees.meta(object, "uid"));
                    lines.add(line("DELETED", shown(object)));
                }
                case WatchEvent.Bookmark(_) -> {}
            }
        }
        return lines;
    }

    private Value.Mapping shown(Value.Mapping object) {
        return request.wantsTable() ? tables.table(target.kind(), List.of(object)) : object;
    }

    private Value bookmark(Watching watching) {
        var object =
                Tree.of("kind", target.type().kind())
                        .put("apiVersion", target.type().apiVersion())
                        .put(
                                "metadata",
                                Tree.of("resourceVersion", Long.toString(watching.version())));
        return line("BOOKMARK", object.mapping());
    }

    private static Value.Mapping expired() {
        return Reply.failure(410, "Expired", "too old resource version").body();
    }

    private static Value line(String type, Value.Mapping object) {
        return Tree.of("type", type).put("object", object).mapping();
    }
}
