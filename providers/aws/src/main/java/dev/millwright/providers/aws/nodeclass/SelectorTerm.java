package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// One way to choose resources of EC2. Terms of a list add up; the fields of one all hold. A tag's
/// value of `*` means any.
public sealed interface SelectorTerm {

    /// Tags by key; empty where the term has none.
    SequencedMap<String, String> tags();

    @Nullable String id();

    /// The id wins over tags.
    record Subnet(SequencedMap<String, String> tags, @Nullable String id) implements SelectorTerm {
        public Subnet {
            tags = copy(tags);
        }
    }

    /// The id wins over the name, the name over tags.
    record SecurityGroup(
            SequencedMap<String, String> tags, @Nullable String id, @Nullable String name)
            implements SelectorTerm {
        public SecurityGroup {
            tags = copy(tags);
        }
    }

    /// An id and the other fields ask two questions, whose answers add up.
    record CapacityReservation(
            SequencedMap<String, String> tags,
            @Nullable String id,
            @Nullable String ownerId,
            @Nullable String instanceMatchCriteria)
            implements SelectorTerm {
        public CapacityReservation {
            tags = copy(tags);
        }
    }

    /// The alias wins over the id, the id over the parameter, the parameter over all others.
    record Ami(
            @Nullable Alias alias,
            SequencedMap<String, String> tags,
            @Nullable String id,
            @Nullable String name,
            @Nullable String owner,
            @Nullable String ssmParameter)
            implements SelectorTerm {
        public Ami {
            tags = copy(tags);
        }
    }

    private static SequencedMap<String, String> copy(SequencedMap<String, String> tags) {
        return Collections.unmodifiableSequencedMap(new TreeMap<>(tags));
    }
}
