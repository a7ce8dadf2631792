package dev.millwright.testing.e2e.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.store.Collector;
import dev.millwright.world.store.StoreApi;
import dev.millwright.world.time.Agenda;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The store of a world, where a moment is as long as one likes.
final class InProcess implements Server {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Agenda agenda = new Agenda(START);
    private final ApiStore store = new ApiStore(agenda, Chance.of(1));
    private final KubeApi api = new StoreApi(store, "test");

    InProcess() {
        new Collector(store, agenda, () -> Duration.ofMillis(100));
    }

    @Override
    public KubeApi api() {
        return api;
    }

    @Override
    public String createNamespace() {
        return "default";
    }

    @Override
    public ApiAnswer bind(ObjectName pod, String uid, String nodeName) {
        return store.bind("test", pod, uid, nodeName);
    }

    @Override
    public void forgetHistory(ResourceType type) {
        store.forget(type);
    }

    @Override
    public <T> T eventually(String what, Supplier<T> look, Predicate<? super T> isRight) {
        var seen = look.get();
        if (!isRight.test(seen)) {
            agenda.runUntil(agenda.instant().plus(PATIENCE));
            seen = look.get();
        }
        if (!isRight.test(seen)) {
            throw new AssertionError("%s: not seen; but %s".formatted(what, seen));
        }
        return seen;
    }
}
