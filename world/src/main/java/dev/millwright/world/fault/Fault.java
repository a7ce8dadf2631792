package dev.millwright.world.fault;

import org.jspecify.annotations.Nullable;

/// Something that can go wrong in a world.
public enum Fault {
    /// A replica of the operator dies between two effects, or while one is under way, and is
    /// started again.
    CRASH("crash"),
    /// A watch breaks for a while; what it missed may be forgotten, so that only a list tells.
    WATCH_GAP("watch-gap"),
    /// Events of one resource come late, after those of others.
    WATCH_LATE("watch-late"),
    /// Events are told a second time, after newer ones.
    WATCH_TWICE("watch-twice"),
    /// The API server refuses a patch because somebody else was quicker.
    CONFLICT("conflict"),
    API_SLOW("api-slow"),
    /// The API server fails, or has too much to do.
    API_ERROR("api-error"),
    /// A request or its answer is lost on the way: the change was made or not.
    API_LOST("api-lost"),
    /// The cloud runs out of types and zones.
    CAPACITY("capacity"),
    THROTTLE("throttle"),
    CLOUD_ERROR("cloud-error"),
    CLOUD_SLOW("cloud-slow"),
    /// The cloud does what it was asked, and nobody hears of it.
    CLOUD_LOST("cloud-lost"),
    /// The cloud starts a second machine that nobody asked for.
    LEAK("leak"),
    SPOT("spot"),
    /// Most spot machines of a zone are taken back at once.
    SPOT_WAVE("spot-wave"),
    /// A machine never joins the cluster.
    NODE_SILENT("node-silent"),
    /// A node stops to tell that it lives, for a while.
    NODE_FLAP("node-flap"),
    /// A machine dies unannounced.
    NODE_DEATH("node-death"),
    /// The clock of a replica's machine jumps.
    CLOCK_JUMP("clock-jump"),
    /// Two replicas run, and the lead changes.
    LEADER_CHANGE("leader-change"),
    /// The leader stands still, and goes on as if nothing had been.
    STALL("stall");

    private final String word;

    Fault(String word) {
        this.word = word;
    }

    /// As people write it.
    public String word() {
        return word;
    }

    public static @Nullable Fault of(String word) {
        for (var fault : values()) {
            if (fault.word.equals(word)) {
                return fault;
            }
        }
        return null;
    }
}
