package dev.millwright.world.store;

import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What a watch is told of one type after a version.
public sealed interface Changes {

    /// In the order of versions. `upTo` is the version to ask after next time; nothing up to it is
    /// left untold.
    record Events(List<Event> events, long upTo) implements Changes {
        public Events {
            events = List.copyOf(events);
        }
    }

    /// 410: history begins later; list again.
    record Expired() implements Changes {}

    /// One change. `before` is null where the object is new; `object` is its state after the
    /// change, and its last one, under the version of its deletion, where it is gone.
    record Event(
            long version, Value.@Nullable Mapping before, Value.Mapping object, boolean isGone) {

        public WatchEvent told() {
            return isGone ? new WatchEvent.Removed(object) : new WatchEvent.Put(object);
        }
    }
}
