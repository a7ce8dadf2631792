package dev.millwright.providers.aws.offering;

import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.ZonalShifts;

import java.time.Instant;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// The news of a running process.
///
/// @param view keeps NodeOverlays only while their gate is on
public record LiveNews(ZonalShifts shifts, CapacityReservations reservations, View view)
        implements MarketNews {

    @Override
    public SequencedSet<String> shiftedZoneIds(Instant now) {
        return shifts.shiftedIds();
    }

    @Override
    public int freeSlots(String reservationId) {
        return reservations.available(reservationId);
    }

    /// An overlay counts once it was found to be without fault.
    @Override
    public SequencedMap<String, Double> previewPrices() {
        return PreviewPrices.of(Overlays.sound(view));
    }
}
