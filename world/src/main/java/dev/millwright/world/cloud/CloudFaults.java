package dev.millwright.world.cloud;

import dev.millwright.providers.sim.cloud.Delay;
import dev.millwright.providers.sim.cloud.SimApi;
import dev.millwright.providers.sim.cloud.SimSettings;
import dev.millwright.providers.sim.cloud.SimSettings.ApiFaults;
import dev.millwright.providers.sim.cloud.SimSettings.Capacity;
import dev.millwright.providers.sim.cloud.SimSettings.Interruptions;
import dev.millwright.providers.sim.cloud.SimSettings.Mishaps;
import dev.millwright.providers.sim.cloud.SimSettings.Throttle;
import dev.millwright.providers.sim.cloud.SimSettings.Timing;
import dev.millwright.world.fault.Fault;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/// How the cloud behaves while faults strike.
public final class CloudFaults {

    private static final double OUTAGE_RATE = 0.05;
    private static final Duration OUTAGE = Duration.ofMinutes(10);
    private static final Throttle THROTTLE = new Throttle(1, 4);
    private static final double ERROR_RATE = 0.05;
    private static final double LOST_RATE = 0.04;
    private static final double INTERRUPTIONS_PER_HOUR = 0.7;
    private static final double WAVES_PER_HOUR = 0.7;
    private static final double WAVE_SHARE = 0.7;
    private static final double LEAK_RATE = 0.04;
    private static final double SILENT_RATE = 0.05;
    private static final double DEATHS_PER_HOUR = 0.2;
    private static final Timing SLOW =
            new Timing(
                    Delay.ofMillis(800, 4_000, 90_000),
                    Delay.ofMillis(40, 500, 20_000),
                    Delay.ofSeconds(18, 45, 400),
                    Delay.ofMillis(100, 3_000, 40_000),
                    Delay.ofSeconds(12, 60, 400));

    private CloudFaults() {}

    /// Good weather with these faults on top.
    public static SimSettings of(SimSettings calm, Set<Fault> faults) {
        var settings = faults.contains(Fault.CLOUD_SLOW) ? calm.with(SLOW) : calm;
        if (faults.contains(Fault.CAPACITY)) {
            var capacity = calm.capacity();
            settings =
                    settings.with(
                            new Capacity(
                                    capacity.rules(), OUTAGE_RATE, OUTAGE, capacity.remembered()));
        }
        var throttle = faults.contains(Fault.THROTTLE) ? THROTTLE : null;
        for (var api : SimApi.values()) {
            settings = settings.with(api, api(calm.faultsOf(api), throttle, faults));
        }
        return settings.with(interruptions(calm.interruptions(), faults))
                .with(mishaps(calm.mishaps(), faults));
    }

    private static ApiFaults api(ApiFaults calm, @Nullable Throttle throttle, Set<Fault> faults) {
        return new ApiFaults(
                throttle == null ? calm.throttle() : throttle,
                faults.contains(Fault.CLOUD_ERROR) ? ERROR_RATE : calm.errorRate(),
                faults.contains(Fault.CLOUD_LOST) ? LOST_RATE : calm.lostRate());
    }

    private static Interruptions interruptions(Interruptions calm, Set<Fault> faults) {
        return new Interruptions(
                faults.contains(Fault.SPOT) ? INTERRUPTIONS_PER_HOUR : calm.perHour(),
                calm.notice(),
                faults.contains(Fault.SPOT_WAVE) ? WAVES_PER_HOUR : calm.wavesPerHour(),
                faults.contains(Fault.SPOT_WAVE) ? WAVE_SHARE : calm.waveShare());
    }

    private static Mishaps mishaps(Mishaps calm, Set<Fault> faults) {
        return new Mishaps(
                faults.contains(Fault.LEAK) ? LEAK_RATE : calm.leakRate(),
                faults.contains(Fault.NODE_SILENT) ? SILENT_RATE : calm.silentRate(),
                faults.contains(Fault.NODE_DEATH) ? DEATHS_PER_HOUR : calm.crashesPerHour());
    }
}
