package dev.millwright.providers.aws.offering;

import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.ZonalShifts;
import dev.millwright.spi.OverlayStore;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// The news of a running process.
///
/// @param overlays null while the gate `NodeOverlay` is off
public record LiveNews(
        ZonalShifts shifts, CapacityReservations reservations, @Nullable OverlayStore overlays)
        implements MarketNews {

    @Override
    public SequencedSet<String> shiftedZoneIds(Instant now) {
        return shifts.shiftedIds();
    }

    @Override
    public int freeSlots(String reservationId) {
        return reservations.available(reservationId);
    }

    @Override
    public SequencedMap<String, Double> previewPrices() {
        return overlays == null
                ? Collections.emptySortedMap()
                : PreviewPrices.of(overlays.overlays());
    }
}
