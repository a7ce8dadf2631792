package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;

/// The store as one of its clients sees it.
///
/// A watch tells all there is to tell, says how far that is, and ends: who wants to know more
/// watches again from there. Nothing can happen while it lasts.
public final class StoreApi implements KubeApi {

    /// Changes asked for at once.
    private static final int BATCH = 1_000;

    private final ApiStore store;
    private final String by;

    public StoreApi(ApiStore store, String by) {
        this.store = store;
        this.by = by;
    }

    @Override
    public ApiAnswer read(ResourceType type, ObjectName name) {
        return store.read(type, name);
    }

    @Override
    public ApiAnswer write(ApiWrite write) {
        return store.write(by, write);
    }

    @Override
    public ListAnswer list(ResourceType type, ListQuery query) {
        return store.list(type, query);
    }

    @Override
    public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
        if (store.kinds().find(type) == null) {
            return WatchEnd.NOT_SERVED;
        }
        final Watching watching;
        try {
            watching = Watching.from(store, type, query);
        } catch (IllegalArgumentException unreadable) {
            return WatchEnd.FAILED;
        }
        while (true) {
            var told = watching.next(BATCH);
            if (told == null) {
                return WatchEnd.EXPIRED;
            }
            for (var event : told) {
                if (!sink.accept(event)) {
                    return WatchEnd.CLOSED;
                }
            }
            if (watching.isUpToDate()) {
                var bookmark = new WatchEvent.Bookmark(Long.toString(watching.version()));
                sink.accept(bookmark);
                return WatchEnd.CLOSED;
            }
        }
    }
}
