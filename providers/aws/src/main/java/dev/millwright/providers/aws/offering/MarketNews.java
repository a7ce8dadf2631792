package dev.millwright.providers.aws.offering;

import java.time.Instant;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// What others know that decides whether an offering can be had.
public interface MarketNews {

    /// The ids of zones that traffic is being moved away from.
    SequencedSet<String> shiftedZoneIds(Instant now);

    /// How many machines a reservation still has room for; zero when it is not known.
    int freeSlots(String reservationId);

    /// Prices by type that an operator states in NodeOverlays for types that AWS has no price of.
    SequencedMap<String, Double> previewPrices();
}
