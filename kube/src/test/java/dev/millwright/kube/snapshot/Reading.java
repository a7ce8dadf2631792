package dev.millwright.kube.snapshot;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.Source;

import java.util.List;

/// Reads texts with a catalogue of one machine.
final class Reading {

    static final InstanceType MACHINE =
            new InstanceType(
                    "machine",
                    Requirements.of(Requirement.in(LabelKeys.INSTANCE_TYPE, "machine")),
                    List.of(Offering.of("zone-1", "on-demand", 1)),
                    Resources.parse("cpu", "4", "memory", "8Gi", "pods", "10"),
                    Overhead.NONE);

    private static final SnapshotReader READER =
            new SnapshotReader(new CatalogueDefault(() -> List.of(MACHINE), LabelVocabulary.CORE));

    private Reading() {}

    static SnapshotFile of(String... texts) {
        return READER.read(
                java.util.stream.IntStream.range(0, texts.length)
                        .mapToObj(index -> Source.text("file" + (index + 1), texts[index]))
                        .toList());
    }

    static SnapshotFile of(Source source) {
        return READER.read(List.of(source));
    }

    static Pod pod(String text) {
        return of(text).problem().snapshot().pods().getFirst();
    }

    static NodePool nodePool(String text) {
        return of(text).problem().nodePools().getFirst();
    }

    static List<String> faults(String... texts) {
        try {
            of(texts);
            return List.of();
        } catch (DocumentException told) {
            return List.of(told.getMessage().split("\n"));
        }
    }
}
