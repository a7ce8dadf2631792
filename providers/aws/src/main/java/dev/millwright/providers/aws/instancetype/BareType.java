package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.Requirements;
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
        var labels = TypeLabels.of(known, facts, settings.region());
        return new BareType(
                known,
                new InstanceType(
                        known.name(), labels, List.of(), room.capacity(memory), room.overhead()),
                Compatibility.fits(known.info(), facts) && hasImage(labels, facts));
    }

    /// A machine that none of the images starts on is not for sale. Of a class whose images have
    /// not been found yet it is unknown.
    private static boolean hasImage(Requirements labels, ClassFacts facts) {
        return facts.amis().isEmpty() || ImageChoice.of(labels, facts.amis()) != null;
    }
}
