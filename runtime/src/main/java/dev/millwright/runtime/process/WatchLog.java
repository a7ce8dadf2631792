package dev.millwright.runtime.process;

import dev.millwright.kube.cache.ReflectorNote;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.log.Log;

/// Tells of watches: what concerns a person above, the rest at debug.
record WatchLog(Log log) implements ReflectorNote.Observer {

    @Override
    public void noted(ResourceType type, ReflectorNote note) {
        var own = log.with("resource", type.toString());
        switch (note) {
            case ReflectorNote.Listed(var objects, _) -> own.debug("listed", "objects", objects);
            case ReflectorNote.ListExpired(var message) ->
                    own.debug("list expired", "error", message);
            case ReflectorNote.ListFailed(var message) -> own.warn("cannot list", "error", message);
            case ReflectorNote.NotServed() ->
                    own.warn("nobody serves the resource; install its definition");
            case ReflectorNote.WatchEnded(var end, var events) ->
                    own.debug("watch ended", "end", end.toString(), "events", events);
            case ReflectorNote.SinkFailed(var name, var failure) ->
                    own.error(
                            "cannot read an object; it is kept as it was before",
                            "name",
                            name.toString(),
                            "error",
                            failure.toString());
            case ReflectorNote.Failed(var failure) ->
                    own.error("a watch failed and goes on", "error", failure.toString());
            case ReflectorNote.Restarted(var reason) ->
                    own.warn("a watch was restarted", "reason", reason);
        }
    }
}
