package dev.millwright.kube.client;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Value;

import java.time.Duration;
import java.util.List;

/// An API server. Calls block; none throws for what a server can say.
public interface KubeApi {

    ApiAnswer read(ResourceType type, ObjectName name);

    ApiAnswer write(ApiWrite write);

    /// One page. The first one of a list names no `continueToken`.
    ListAnswer list(ResourceType type, ListQuery query);

    /// Hands on events until the server ends the watch, the connection breaks, the sink says stop,
    /// or the thread is interrupted.
    WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink);

    /// An empty namespace means all of them; empty selectors choose everything.
    record ListQuery(
            String namespace,
            String labelSelector,
            String fieldSelector,
            int limit,
            String continueToken) {

        public static ListQuery all(int limit) {
            return new ListQuery("", "", "", limit, "");
        }

        public ListQuery next(String token) {
            return new ListQuery(namespace, labelSelector, fieldSelector, limit, token);
        }
    }

    record WatchQuery(
            String namespace,
            String labelSelector,
            String fieldSelector,
            String resourceVersion,
            Duration timeout) {}

    sealed interface ListAnswer {

        /// `continueToken` is empty on the last page.
        record Page(List<Value.Mapping> items, String resourceVersion, String continueToken)
                implements ListAnswer {
            public Page {
                items = List.copyOf(items);
            }
        }

        /// 410: the token or version is too old; begin again.
        record Expired(String message) implements ListAnswer {}

        /// 404: nobody serves this resource.
        record NotServed() implements ListAnswer {}

        record Failed(String message) implements ListAnswer {}
    }

    sealed interface WatchEvent {

        record Put(Value.Mapping object) implements WatchEvent {}

        record Removed(Value.Mapping object) implements WatchEvent {}

        /// Everything up to this version has been told.
        record Bookmark(String resourceVersion) implements WatchEvent {}
    }

    /// Why a watch ended. `EXPIRED` means that events may be lost and a new list is needed.
    enum WatchEnd {
        CLOSED,
        EXPIRED,
        NOT_SERVED,
        FAILED
    }

    @FunctionalInterface
    interface WatchSink {
        /// Returns whether to go on.
        boolean accept(WatchEvent event);
    }
}
