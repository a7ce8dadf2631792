package dev.millwright.providers.aws.network;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.ZonalShiftApi;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// The zones that the cluster is shifted away from, because they are impaired.
public final class ZonalShifts {

    private static final String APPLIED = "APPLIED";

    private final @Nullable ZonalShiftApi api;
    private final String clusterArn;
    private final InstantSource clock;
    private final Function<String, @Nullable String> zoneIds;

    /// The ends of the shifts by zone id. Guarded by this object's lock.
    private final TreeMap<String, Instant> ends = new TreeMap<>();

    private boolean isAsked;

    /// @param zoneIds the id of a zone by its name
    public ZonalShifts(
            ZonalShiftApi api,
            String clusterArn,
            InstantSource clock,
            Function<String, @Nullable String> zoneIds) {
        this(clock, api, clusterArn, zoneIds);
    }

    private ZonalShifts(
            InstantSource clock,
            @Nullable ZonalShiftApi api,
            String clusterArn,
            Function<String, @Nullable String> zoneIds) {
        this.api = api;
        this.clusterArn = clusterArn;
        this.clock = clock;
        this.zoneIds = zoneIds;
    }

    /// Of a process that does not heed shifts.
    public static ZonalShifts unheeded() {
        return new ZonalShifts(() -> Instant.EPOCH, null, "", _ -> null);
    }

    /// Asks again. An answer without any shift ends all; otherwise a shift that is no longer told
    /// lasts until its own end.
    public void refresh() throws AwsFault {
        if (api == null) {
            return;
        }
        var shifts = api.shifts(clusterArn);
        synchronized (this) {
            isAsked = true;
            if (shifts.isEmpty()) {
                ends.clear();
            }
            for (var shift : shifts) {
                if (shift.status().equals(APPLIED)) {
                    ends.put(shift.awayFrom(), shift.expiresAt());
                }
            }
            ends.values().removeIf(end -> !end.isAfter(clock.instant()));
        }
    }

    public boolean isShifted(String zone) {
        var id = zoneIds.apply(zone);
        return id != null && isShiftedId(id);
    }

    /// Asked for every offering: no more than a look.
    public boolean isShiftedId(String zoneId) {
        askFirst();
        synchronized (this) {
            var end = ends.get(zoneId);
            return end != null && end.isAfter(clock.instant());
        }
    }

    /// The ids of all zones that are shifted away from now.
    public SortedSet<String> shiftedIds() {
        askFirst();
        synchronized (this) {
            var now = clock.instant();
            var ids = new TreeSet<String>();
            ends.forEach(
                    (id, end) -> {
                        if (end.isAfter(now)) {
                            ids.add(id);
                        }
                    });
            return ids;
        }
    }

    /// Who launches before the first look must know of shifts too. Where that fails, the loop that
    /// looks every half minute says so and tries again.
    private void askFirst() {
        synchronized (this) {
            if (isAsked || api == null) {
                return;
            }
            isAsked = true;
        }
        try {
            refresh();
        } catch (AwsFault _) {
            return;
        }
    }
}
