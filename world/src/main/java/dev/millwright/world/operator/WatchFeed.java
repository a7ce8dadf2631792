package dev.millwright.world.operator;

import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.fault.Weather;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.store.Changes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// Feeds one resource's caches of a process: a list, and then what changes. Events come late,
/// twice, or after a gap that only a new list can close; none is lost for ever.
final class WatchFeed {

    private static final Duration LIST_MIN = Duration.ofMillis(20);
    private static final Duration LIST_MAX = Duration.ofMillis(400);
    private static final Duration EVENT_MIN = Duration.ofMillis(2);
    private static final Duration EVENT_MAX = Duration.ofMillis(40);
    private static final Duration LATE_MAX = Duration.ofSeconds(20);
    private static final Duration GAP_MIN = Duration.ofSeconds(1);
    private static final Duration GAP_MAX = Duration.ofSeconds(60);

    private static final double LATE_RATE = 0.01;
    private static final double TWICE_RATE = 0.02;
    private static final double GAPS_PER_HOUR = 1;
    private static final double FORGOTTEN_SHARE = 0.5;

    private static final int PAGE = 500;
    private static final int EVENTS_MAX = 1_000;

    private final ResourceType type;
    private final CacheSink sink;
    private final Life life;
    private final ApiStore store;
    private final Agenda agenda;
    private final Weather weather;
    private final Chance chance;
    private final Witness witness;
    private final Runnable synced;
    private Agenda.@Nullable Booking delivery;
    private List<Changes.Event> last = List.of();
    private long version = -1;

    /// `synced` is told once, when the first list is in.
    WatchFeed(
            ResourceType type,
            CacheSink sink,
            Life life,
            Surroundings world,
            Chance chance,
            Runnable synced) {
        this.type = type;
        this.sink = sink;
        this.life = life;
        this.store = world.store();
        this.agenda = world.agenda();
        this.weather = world.weather();
        this.witness = world.witness();
        this.chance = chance;
        this.synced = synced;
    }

    void start() {
        delivery = life.after(chance.between(LIST_MIN, LIST_MAX), this::list);
        if (weather.has(Fault.WATCH_GAP)) {
            life.after(chance.until(GAPS_PER_HOUR), this::gap);
        }
    }

    /// Something of this resource has changed.
    void wake() {
        if (delivery == null) {
            var isLate = weather.allows(Fault.WATCH_LATE) && chance.happens(LATE_RATE);
            var most = isLate ? LATE_MAX : EVENT_MAX;
            delivery = life.after(chance.between(EVENT_MIN, most), this::deliver);
        }
    }

    private void list() {
        sink.begin();
        var query = KubeApi.ListQuery.all(PAGE);
        while (store.list(type, query) instanceof KubeApi.ListAnswer.Page page) {
            page.items().forEach(sink::item);
            if (page.continueToken().isEmpty()) {
                sink.end(page.resourceVersion());
                var isFirst = version < 0;
                version = Long.parseLong(page.resourceVersion());
                if (isFirst) {
                    synced.run();
                }
                break;
            }
            query = query.next(page.continueToken());
        }
        delivery = null;
        wake();
    }

    private void deliver() {
        delivery = null;
        switch (store.changesAfter(type, version, EVENTS_MAX)) {
            case Changes.Expired() ->
                    delivery = life.after(chance.between(LIST_MIN, LIST_MAX), this::list);
            case Changes.Events(var events, var upTo) -> {
                events.forEach(this::tell);
                version = upTo;
                if (!events.isEmpty()) {
                    last = events;
                }
                if (events.size() == EVENTS_MAX) {
                    wake();
                }
                if (weather.allows(Fault.WATCH_TWICE) && chance.happens(TWICE_RATE)) {
                    life.after(chance.between(EVENT_MIN, EVENT_MAX), this::repeat);
                }
            }
        }
    }

    private void tell(Changes.Event event) {
        if (event.isGone()) {
            sink.removed(event.object());
        } else {
            sink.put(event.object());
        }
    }

    private void repeat() {
        last.forEach(this::tell);
    }

    private void gap() {
        if (!weather.allows(Fault.WATCH_GAP)) {
            return;
        }
        var length = chance.between(GAP_MIN, GAP_MAX);
        witness.saw(
                new Happening.Struck(
                        agenda.instant(),
                        Fault.WATCH_GAP.word(),
                        "%s for %s".formatted(type, length)));
        if (version >= 0) {
            if (delivery != null) {
                delivery.cancel();
            }
            delivery = life.after(length, this::resume);
        }
        life.after(chance.until(GAPS_PER_HOUR), this::gap);
    }

    private void resume() {
        if (chance.happens(FORGOTTEN_SHARE)) {
            store.forget(type);
        }
        deliver();
    }
}
