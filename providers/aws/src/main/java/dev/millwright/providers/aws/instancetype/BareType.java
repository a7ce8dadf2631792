package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.quantity.Quantity;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A type under a class, before anybody asked what it costs and where it can be had.
///
/// @param type without offerings
/// @param isFitting whether EC2 would launch it as the class wants it
public record BareType(KnownType known, InstanceType type, boolean isFitting) {

    /// @param memory what nodes of the type were seen to have, or null
    /// @throws IllegalArgumentException when the class states a quantity that is none
    public static BareType of(
            KnownType known, ClassFacts facts, TypeSettings settings, @Nullable Quantity memory) {
        var room = new TypeRoom(known, facts, settings);
        return new BareType(
                known,
                new InstanceType(
                        known.name(),
                        TypeLabels.of(known, facts, settings.region()),
                        List.of(),
                        room.capacity(memory),
                        room.overhead()),
                Compatibility.fits(known.info(), facts));
    }
}
