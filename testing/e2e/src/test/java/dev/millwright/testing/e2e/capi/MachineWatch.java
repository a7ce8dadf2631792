package dev.millwright.testing.e2e.capi;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.ControlPlane;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Hears of every change of every machine in a namespace, and keeps the fewest that were ready at
/// once and the most that were there.
final class MachineWatch implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofMinutes(9);
    private static final int PAGE = 500;

    private final HttpKubeApi api;
    private final Thread thread;
    private final Map<String, Boolean> readyByName = new HashMap<>();
    private int fewestReady = Integer.MAX_VALUE;
    private int mostThere;
    private int events;
    private String broken = "";
    private volatile boolean isClosing;

    MachineWatch(ControlPlane plane, String namespace) {
        api = MachineLoops.open(plane);
        var type = CaptTypes.MACHINE.type();
        var query = new KubeApi.ListQuery(namespace, "", "", PAGE, "");
        if (!(api.list(type, query)
                instanceof KubeApi.ListAnswer.Page(var items, var version, _))) {
            throw new IllegalStateException("machines of %s cannot be listed".formatted(namespace));
        }
        items.forEach(this::heard);
        counted();
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    var end =
                                            api.watch(
                                                    type,
                                                    new KubeApi.WatchQuery(
                                                            namespace, "", "", version, LONGEST),
                                                    this::accepted);
                                    ended(end);
                                });
    }

    private synchronized void ended(KubeApi.WatchEnd end) {
        if (!isClosing) {
            broken = "the watch ended early: " + end;
        }
    }

    private synchronized boolean accepted(WatchEvent event) {
        switch (event) {
            case WatchEvent.Put(var object) -> heard(object);
            case WatchEvent.Removed(var object) ->
                    readyByName.remove(RawObject.of(object).name().name());
            case WatchEvent.Bookmark(_) -> {}
        }
        events++;
        counted();
        return !isClosing;
    }

    /// One that is being deleted serves nobody.
    private void heard(Value.Mapping object) {
        var machine = RawObject.of(object);
        var name = machine.name().name();
        if (machine.meta().isDeleting()) {
            readyByName.remove(name);
        } else {
            readyByName.put(name, machine.status().at("ready").isTrue());
        }
    }

    private void counted() {
        var ready = (int) readyByName.values().stream().filter(Boolean::booleanValue).count();
        fewestReady = Math.min(fewestReady, ready);
        mostThere = Math.max(mostThere, readyByName.size());
    }

    synchronized int fewestReady() {
        return fewestReady;
    }

    synchronized int mostThere() {
        return mostThere;
    }

    synchronized int events() {
        return events;
    }

    /// Why not every change was heard; empty when it was.
    synchronized String broken() {
        return broken;
    }

    @Override
    public void close() {
        isClosing = true;
        thread.interrupt();
        api.close();
    }
}
