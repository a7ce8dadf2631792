package dev.millwright.world.operator;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.happening.Happening;

import java.time.Duration;
import java.time.Instant;

/// A replica of the operator: a process, and another after it dies.
public final class Replica {

    private static final Duration RESTART_MIN = Duration.ofSeconds(1);
    private static final Duration RESTART_MAX = Duration.ofSeconds(20);
    private static final Duration STALL_MIN = Duration.ofSeconds(2);
    private static final Duration STALL_MAX = Duration.ofSeconds(60);
    private static final Duration JUMP_MAX = Duration.ofSeconds(90);

    private static final double CRASHES_PER_HOUR = 2;
    private static final double STALLS_PER_HOUR = 2;
    private static final double JUMPS_PER_HOUR = 2;

    private final Surroundings world;
    private final String name;
    private final Chance chance;
    private Duration skew = Duration.ZERO;
    private OperatorProcess process;
    private int lives;

    public Replica(Surroundings surroundings, String name) {
        this.world =
                new Surroundings(
                        surroundings.agenda(),
                        surroundings.store(),
                        surroundings.cloud(),
                        surroundings.traits(),
                        surroundings.settings(),
                        surroundings.weather(),
                        surroundings.chance().stream("replica " + name),
                        surroundings.reading(),
                        surroundings.witness());
        this.name = name;
        this.chance = world.chance().stream("fate");
        this.process = born();
    }

    private OperatorProcess born() {
        lives++;
        return new OperatorProcess(world, name, lives, this::time, this::restart);
    }

    private Instant time() {
        return world.agenda().instant().plus(skew);
    }

    public String name() {
        return name;
    }

    public void start() {
        process.start();
        book(Fault.CRASH, CRASHES_PER_HOUR, () -> crash("at any time"));
        book(Fault.STALL, STALLS_PER_HOUR, this::stall);
        book(Fault.CLOCK_JUMP, JUMPS_PER_HOUR, this::jump);
        book(Fault.LEADER_CHANGE, CRASHES_PER_HOUR, this::retire);
    }

    private void book(Fault fault, double perHour, Runnable act) {
        if (world.weather().has(fault)) {
            world.agenda().after(chance.until(perHour), () -> strike(fault, perHour, act));
        }
    }

    private void strike(Fault fault, double perHour, Runnable act) {
        if (world.weather().allows(fault)) {
            act.run();
            book(fault, perHour, act);
        }
    }

    /// Kills the process; another is started a while later.
    public void crash(String when) {
        struck(Fault.CRASH, when);
        process.end();
        restart();
    }

    /// The leader goes, and the other replica takes over.
    private void retire() {
        if (process.mayAct()) {
            struck(Fault.LEADER_CHANGE, "the leader goes");
            process.end();
            restart();
        }
    }

    private void stall() {
        var length = chance.between(STALL_MIN, STALL_MAX);
        struck(Fault.STALL, "for " + length);
        process.life().stall(length);
    }

    private void jump() {
        skew = chance.between(JUMP_MAX.negated(), JUMP_MAX);
        struck(Fault.CLOCK_JUMP, "to " + skew);
        process.clockJumped();
    }

    private void struck(Fault fault, String what) {
        world.witness()
                .saw(
                        new Happening.Struck(
                                world.agenda().instant(), fault.word(), name + " " + what));
    }

    private void restart() {
        var wait = chance.between(RESTART_MIN, RESTART_MAX);
        var next = born();
        process = next;
        world.agenda().after(wait, next::start);
    }

    /// The store has changed.
    public void changed(ResourceType type) {
        process.changed(type);
    }

    public boolean isLeader() {
        return process.mayAct();
    }

    /// What the process that runs now believes.
    public View view() {
        return process.view();
    }
}
