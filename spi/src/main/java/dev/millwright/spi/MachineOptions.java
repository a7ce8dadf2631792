package dev.millwright.spi;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.List;

/// The machines of a catalogue that would do for a claim.
///
/// The same question in every cloud: the answer is a value, so that a provider only has to try them
/// in turn.
public sealed interface MachineOptions {

    /// Cheapest first, those that are not available now included. May be empty.
    record Known(List<MachineOption> options) implements MachineOptions {
        public Known {
            options = List.copyOf(options);
        }

        public List<MachineOption> launchable() {
            return options.stream().filter(option -> option.offering().isLaunchable()).toList();
        }
    }

    /// The claim names types, and the catalogue has none of them.
    record UnknownTypes(List<String> names) implements MachineOptions {
        /// Names shown before a message says how many more.
        private static final int SHOWN_MAX = 5;

        public UnknownTypes {
            names = List.copyOf(names);
        }

        public String explain(MachineClaim claim) {
            var shown = names.subList(0, Math.min(names.size(), SHOWN_MAX));
            return "NodeClaim %s: no instance type is called %s%s; the catalogue may have changed"
                    .formatted(
                            claim.name(),
                            String.join(", ", shown),
                            names.size() > SHOWN_MAX
                                    ? " or %d others".formatted(names.size() - SHOWN_MAX)
                                    : "");
        }
    }

    /// Grows with the offerings of the types the claim names, or of all where it names none (as
    /// claims of static pools do).
    static MachineOptions of(
            MachineClaim claim, List<InstanceType> catalog, LabelVocabulary vocabulary) {
        var wishes = wishes(claim, vocabulary);
        var named = wishes.on(LabelKeys.INSTANCE_TYPE);
        var types = catalog.stream().filter(type -> named.has(type.name())).toList();
        if (types.isEmpty() && !named.isComplement() && !named.values().isEmpty()) {
            return new UnknownTypes(named.values());
        }
        var options = new ArrayList<MachineOption>();
        for (var type : types) {
            if (type.requirements().intersects(wishes)) {
                addFitting(options, type, wishes, claim.requests());
            }
        }
        options.sort(MachineOption.CHEAPEST_FIRST);
        return new Known(options);
    }

    /// A key that neither type nor offering knows is the claim's own to fill.
    private static void addFitting(
            List<MachineOption> options,
            InstanceType type,
            Requirements wishes,
            Resources requests) {
        // Nearly all offerings leave the same room: it is reckoned once.
        var fitsPlain = requests.fitsIn(type.allocatable());
        for (var offering : type.offerings()) {
            var option = new MachineOption(type, offering);
            var isFitting =
                    offering.overrides().isEmpty()
                            ? fitsPlain
                            : requests.fitsIn(option.allocatable());
            if (isFitting && offering.requirements().intersects(wishes)) {
                options.add(option);
            }
        }
    }

    static Requirements wishes(MachineClaim claim, LabelVocabulary vocabulary) {
        return Requirements.of(
                claim.requirements().stream()
                        .map(
                                wish ->
                                        vocabulary.requirement(
                                                wish.key(),
                                                wish.operator(),
                                                wish.minValues(),
                                                wish.values()))
                        .toList());
    }
}
