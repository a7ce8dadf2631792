package dev.millwright.dashboard.page;

/// What a visitor of the page may ask for. The bounds keep one click from drowning the fleet; a
/// wish beyond them is refused where it is read.
public sealed interface Action {

    int PODS_MAX = 1_000;
    int REPLICAS_MAX = 5_000;
    int CPU_MILLIS_MAX = 192_000;
    int MEMORY_MEBIBYTES_MAX = 1_572_864;
    double SPEED_MIN = 0.1;
    double SPEED_MAX = 3_600;

    /// So many pods of this size, which nobody asked for before.
    record AddPods(int count, int cpuMillis, int memoryMebibytes) implements Action {
        public AddPods {
            inBounds("count", count, 1, PODS_MAX);
            inBounds("cpuMillis", cpuMillis, 1, CPU_MILLIS_MAX);
            inBounds("memoryMebibytes", memoryMebibytes, 1, MEMORY_MEBIBYTES_MAX);
        }
    }

    record Scale(String deployment, int replicas) implements Action {
        public Scale {
            inBounds("replicas", replicas, 0, REPLICAS_MAX);
        }
    }

    /// The cloud takes the node's machine back, after its usual notice.
    record Interrupt(String node) implements Action {}

    /// Nodes are no longer removed by choice, or are again.
    record Freeze(boolean isFrozen) implements Action {}

    /// Time stands still, or goes on.
    record Pause(boolean isPaused) implements Action {}

    record Speed(double speed) implements Action {
        public Speed {
            if (!(speed >= SPEED_MIN && speed <= SPEED_MAX)) {
                throw new IllegalArgumentException(
                        "speed: found %s; wanted a number from %s to %s"
                                .formatted(speed, SPEED_MIN, SPEED_MAX));
            }
        }
    }

    private static void inBounds(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s: found %d; wanted a whole number from %d to %d"
                            .formatted(field, value, least, most));
        }
    }
}
