package dev.millwright.world.operator;

import dev.millwright.controllers.roster.Offers;
import dev.millwright.controllers.roster.Roster;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.EventFilter;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.happening.Happening;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// One process of the operator, from its start to its death: it waits to lead, fills its caches,
/// and runs the loops of the real one.
final class OperatorProcess {

    /// Share of the effects after whose sending the process dies.
    private static final double CRASH_RATE = 0.002;

    private final Surroundings world;
    private final String name;
    private final Life life;
    private final InstantSource clock;
    private final ApiLine api;
    private final View view;
    private final Campaign campaign;
    private final EventFilter events;
    private final Runnable died;
    private final Chance chance;
    private final int number;
    private final Map<ResourceType, WatchFeed> feeds = new LinkedHashMap<>();
    private final Map<String, Loop> loops = new LinkedHashMap<>();
    private int unsynced;
    private boolean isLeading;

    /// @param name of the replica
    /// @param number of this one among its processes
    /// @param clock of its machine
    /// @param died told when the process has ended by itself
    OperatorProcess(
            Surroundings world, String name, int number, InstantSource clock, Runnable died) {
        this.world = world;
        this.name = name;
        this.life = new Life(world.agenda());
        this.clock = clock;
        this.died = died;
        this.events = new EventFilter(clock, this::nanos);
        this.number = number;
        var own = world.chance().stream("process " + number);
        this.chance = own.stream("crash");
        this.api = new ApiLine(world, own.stream("api"));
        this.view =
                new View(
                        world.reading(),
                        Roster.kinds(world.settings()),
                        world.reading().classKinds());
        this.campaign =
                new Campaign(
                        life,
                        api,
                        ElectionSettings.of(
                                new ObjectName(
                                        "kube-system", world.settings().leadership().leaseName()),
                                name,
                                Integer.toString(number)),
                        clock,
                        this::nanos,
                        own.stream("election"),
                        this::elected,
                        this::deposed);
    }

    void start() {
        campaign.turn();
    }

    private void elected() {
        isLeading = true;
        world.witness().saw(new Happening.Led(now(), name, true));
        var types = new LinkedHashSet<ResourceType>();
        view.kinds().forEach(kind -> types.add(kind.type()));
        unsynced = types.size();
        for (var type : types) {
            var feed =
                    new WatchFeed(
                            type,
                            new CacheSink(view.caches(type)),
                            life,
                            world,
                            world.chance().stream("watch %d %s".formatted(number, type)),
                            this::synced);
            feeds.put(type, feed);
            feed.start();
        }
    }

    private void synced() {
        unsynced--;
        if (unsynced == 0) {
            var offers =
                    Offers.withoutOverlays(_ -> new CatalogAnswer.Types(world.cloud().catalog()));
            var roster =
                    new Roster(
                            world.settings(),
                            world.traits(),
                            offers,
                            view.classKinds(),
                            this::nanos);
            roster.controllers()
                    .forEach(
                            controller -> loops.put(controller.name(), new Loop(controller, this)));
            loops.values().forEach(Loop::start);
        }
    }

    private void deposed(String reason) {
        say(LogLevel.ERROR, "lost the lease, so this process ends", List.of("reason", reason));
        end();
        died.run();
    }

    /// The process is no more, whatever it was doing.
    void end() {
        if (life.isOver()) {
            return;
        }
        life.end();
        if (isLeading) {
            isLeading = false;
            world.witness().saw(new Happening.Led(now(), name, false));
        }
    }

    /// Called between the sending of an effect and its answer.
    void mayCrash() {
        if (world.weather().allows(Fault.CRASH) && chance.happens(CRASH_RATE)) {
            world.agenda().after(Duration.ZERO, () -> crash("after an effect was sent"));
        }
    }

    private void crash(String when) {
        if (!life.isOver()) {
            world.witness().saw(new Happening.Struck(now(), Fault.CRASH.word(), name + " " + when));
            end();
            died.run();
        }
    }

    void changed(ResourceType type) {
        var feed = feeds.get(type);
        if (feed != null && !life.isOver()) {
            feed.wake();
        }
    }

    void ring(String controller, ObjectName key) {
        var loop = loops.get(controller);
        if (loop != null) {
            loop.ring(key);
        }
    }

    void clockJumped() {
        loops.values().forEach(Loop::clockJumped);
    }

    boolean mayAct() {
        return campaign.isLeader();
    }

    void acted(String controller, String what) {
        world.witness().saw(new Happening.Acted(now(), name, controller, what));
    }

    void say(LogLevel level, String message, List<Object> keyValues) {
        world.witness().saw(new Happening.Said(now(), name, level, message, keyValues));
    }

    void decided(Deliberation deliberation) {
        world.witness().saw(new Happening.Decided(now(), name, deliberation));
    }

    void publish(KubeEvent event) {
        if (events.lets(event)) {
            world.witness().saw(new Happening.Published(now(), name, event));
        }
    }

    private long nanos() {
        return Duration.between(Instant.EPOCH, now()).toNanos();
    }

    Instant now() {
        return world.agenda().instant();
    }

    InstantSource clock() {
        return clock;
    }

    Surroundings world() {
        return world;
    }

    String name() {
        return name;
    }

    Life life() {
        return life;
    }

    ApiLine api() {
        return api;
    }

    View view() {
        return view;
    }
}
