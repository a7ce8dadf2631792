package dev.millwright.world.store;

import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.KubeApi.WatchQuery;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// How far one watch has come, and what it is told next.
///
/// An object that a change brings into what is watched is put, one that it takes out of it is
/// removed, whatever happened to it in truth.
public final class Watching {

    private final ApiStore store;
    private final ResourceType type;
    private final Selection selection;
    private final List<WatchEvent> first = new ArrayList<>();
    private long version;

    private Watching(ApiStore store, ResourceType type, Selection selection, long version) {
        this.store = store;
        this.type = type;
        this.selection = selection;
        this.version = version;
    }

    /// A query without a version, or with `0`, is told first what there is.
    ///
    /// @throws IllegalArgumentException when a selector or the version cannot be read
    public static Watching from(ApiStore store, ResourceType type, WatchQuery query) {
        var selection =
                Selection.of(type, query.namespace(), query.labelSelector(), query.fieldSelector());
        var stated = query.resourceVersion();
        if (!stated.isEmpty() && !stated.equals("0")) {
            return new Watching(store, type, selection, Long.parseLong(stated));
        }
        var watching = new Watching(store, type, selection, store.version());
        store.all(type).stream()
                .filter(selection::matches)
                .forEach(object -> watching.first.add(new WatchEvent.Put(object)));
        return watching;
    }

    /// The version up to which all is told.
    public long version() {
        return version;
    }

    public boolean isUpToDate() {
        return first.isEmpty() && version == store.version();
    }

    /// What the next changes mean to this watch; null when they are forgotten.
    public @Nullable List<WatchEvent> next(int max) {
        if (!first.isEmpty()) {
            var told = List.copyOf(first);
            first.clear();
            return told;
        }
        return switch (store.changesAfter(type, version, max)) {
            case Changes.Expired() -> null;
            case Changes.Events(var events, var upTo) -> {
                version = upTo;
                var told = new ArrayList<WatchEvent>();
                for (var event : events) {
                    var seen = seen(event);
                    if (seen != null) {
                        told.add(seen);
                    }
                }
                yield told;
            }
        };
    }

    private @Nullable WatchEvent seen(Changes.Event event) {
        if (selection.isEverything()) {
            return event.told();
        }
        var before = event.before();
        var was = before != null && selection.matches(before);
        var is = !event.isGone() && selection.matches(event.object());
        if (is) {
            return new WatchEvent.Put(event.object());
        }
        return was ? new WatchEvent.Removed(left(event, before)) : null;
    }

    /// What left is told as it last was, under the version it left by.
    private static Value.Mapping left(Changes.Event event, Value.@Nullable Mapping before) {
        if (event.isGone() || before == null) {
            return event.object();
        }
        return Trees.withMeta(
                before,
                meta -> meta.put("resourceVersion", Trees.text(Long.toString(event.version()))));
    }
}
