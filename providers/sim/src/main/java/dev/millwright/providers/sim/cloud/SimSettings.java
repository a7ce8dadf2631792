package dev.millwright.providers.sim.cloud;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// How the simulated cloud behaves. `docs/reference/simulated-cloud.md` explains each setting.
///
/// @param faults what goes wrong with each API; one that is not listed never fails
public record SimSettings(
        long seed,
        Timing timing,
        Capacity capacity,
        Map<SimApi, ApiFaults> faults,
        Interruptions interruptions,
        Mishaps mishaps) {

    /// How long things take.
    ///
    /// @param launch from the call to launch to its answer
    /// @param call from any other call to its answer
    /// @param registration from a launch until the machine's kubelet is up and joins the cluster
    /// @param listing until find and list know of a launch, and have forgotten a machine that is
    ///   gone
    /// @param termination from the first call to terminate until the machine is gone
    public record Timing(
            Delay launch, Delay call, Delay registration, Delay listing, Delay termination) {

        public static final Timing PROMPT =
                new Timing(Delay.NONE, Delay.NONE, Delay.NONE, Delay.NONE, Delay.NONE);

        /// About what EC2 and a small image take.
        public static final Timing LIFELIKE =
                new Timing(
                        Delay.ofMillis(800, 1_500, 6_000),
                        Delay.ofMillis(40, 90, 1_500),
                        Delay.ofSeconds(18, 28, 90),
                        Delay.ofMillis(100, 900, 12_000),
                        Delay.ofSeconds(12, 35, 180));
    }

    /// How many machines are to be had.
    ///
    /// @param rules the first that matches an offering bounds it; without one it never runs out
    /// @param outageRate share of attempts to buy that find an offering gone for a while
    /// @param outage how long such an offering, or one that a rule ran dry, is gone
    /// @param remembered how long the catalogue shows an offering as unavailable after it was
    ///   refused
    public record Capacity(
            List<CapacityRule> rules, double outageRate, Duration outage, Duration remembered) {

        public static final Duration REMEMBERED_DEFAULT = Duration.ofMinutes(3);

        public static final Capacity ENDLESS =
                new Capacity(List.of(), 0, Duration.ofMinutes(10), REMEMBERED_DEFAULT);

        public Capacity {
            rules = List.copyOf(rules);
            SettingBounds.checkRate("outageRate", outageRate);
            SettingBounds.checkDuration("outage", outage);
            SettingBounds.checkDuration("remembered", remembered);
        }
    }

    /// So many machines of each offering that matches. A pattern is a name, or its beginning and a
    /// star; one star alone means all.
    ///
    /// @param recovers whether an offering that ran dry is full again after the outage; if not,
    ///   only a machine that is terminated makes room
    public record CapacityRule(
            String type, String zone, String capacityType, int machines, boolean recovers) {

        public CapacityRule {
            if (machines < 0) {
                throw new IllegalArgumentException(
                        "capacity of %s: %d machines must not be negative"
                                .formatted(type, machines));
            }
        }

        boolean matches(OfferingKey key) {
            return matches(type, key.type())
                    && matches(zone, key.zone())
                    && matches(capacityType, key.capacityType());
        }

        private static boolean matches(String pattern, String name) {
            return pattern.endsWith("*")
                    ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                    : name.equals(pattern);
        }
    }

    /// What goes wrong with an API.
    ///
    /// @param throttle how many calls are let through, or null for all
    /// @param errorRate share of calls that fail without effect
    /// @param lostRate share of calls that take effect and whose caller is told they failed
    public record ApiFaults(@Nullable Throttle throttle, double errorRate, double lostRate) {

        public static final ApiFaults NONE = new ApiFaults(null, 0, 0);

        public ApiFaults {
            SettingBounds.checkRate("errorRate", errorRate);
            SettingBounds.checkRate("lostRate", lostRate);
        }
    }

    /// A bucket of `burst` calls that fills with `perSecond` calls each second.
    public record Throttle(double perSecond, int burst) {

        public Throttle {
            if (!(perSecond > 0) || burst < 1) {
                throw new IllegalArgumentException(
                        "throttle of %s calls a second, burst %d: wanted more than 0 and at least 1"
                                .formatted(perSecond, burst));
            }
        }
    }

    /// How spot machines are taken back.
    ///
    /// @param perHour how often each spot machine is taken, on average
    /// @param notice how long before the end it is announced
    /// @param wavesPerHour how often a whole zone is struck, on average
    /// @param waveShare share of the zone's spot machines that a wave takes
    public record Interruptions(
            double perHour, Duration notice, double wavesPerHour, double waveShare) {

        public static final Duration NOTICE_DEFAULT = Duration.ofMinutes(2);

        public static final Interruptions NONE = new Interruptions(0, NOTICE_DEFAULT, 0, 1);

        public Interruptions {
            SettingBounds.checkFrequency("perHour", perHour);
            SettingBounds.checkDuration("notice", notice);
            SettingBounds.checkFrequency("wavesPerHour", wavesPerHour);
            SettingBounds.checkRate("waveShare", waveShare);
        }
    }

    /// What goes wrong with machines.
    ///
    /// @param leakRate share of launches that start a second machine nobody is told of
    /// @param silentRate share of machines that never join the cluster
    /// @param crashesPerHour how often each machine dies unannounced, on average
    public record Mishaps(double leakRate, double silentRate, double crashesPerHour) {

        public static final Mishaps NONE = new Mishaps(0, 0, 0);

        public Mishaps {
            SettingBounds.checkRate("leakRate", leakRate);
            SettingBounds.checkRate("silentRate", silentRate);
            SettingBounds.checkFrequency("crashesPerHour", crashesPerHour);
        }
    }

    /// Everything at once and nothing wrong.
    public static final SimSettings DEFAULT =
            new SimSettings(
                    1, Timing.PROMPT, Capacity.ENDLESS, Map.of(), Interruptions.NONE, Mishaps.NONE);

    /// As long as things take in a real cloud, and nothing wrong.
    public static final SimSettings LIFELIKE = DEFAULT.with(Timing.LIFELIKE);

    public SimSettings {
        var sorted = new EnumMap<SimApi, ApiFaults>(SimApi.class);
        sorted.putAll(faults);
        faults = Collections.unmodifiableMap(sorted);
    }

    public ApiFaults faultsOf(SimApi api) {
        return faults.getOrDefault(api, ApiFaults.NONE);
    }

    public SimSettings withSeed(long other) {
        return new SimSettings(other, timing, capacity, faults, interruptions, mishaps);
    }

    public SimSettings with(Timing other) {
        return new SimSettings(seed, other, capacity, faults, interruptions, mishaps);
    }

    public SimSettings with(Capacity other) {
        return new SimSettings(seed, timing, other, faults, interruptions, mishaps);
    }

    public SimSettings with(SimApi api, ApiFaults other) {
        var more = new EnumMap<SimApi, ApiFaults>(SimApi.class);
        more.putAll(faults);
        more.put(api, other);
        return new SimSettings(seed, timing, capacity, more, interruptions, mishaps);
    }

    public SimSettings with(Interruptions other) {
        return new SimSettings(seed, timing, capacity, faults, other, mishaps);
    }

    public SimSettings with(Mishaps other) {
        return new SimSettings(seed, timing, capacity, faults, interruptions, other);
    }
}
