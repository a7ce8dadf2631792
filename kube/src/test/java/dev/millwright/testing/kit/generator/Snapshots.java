package dev.millwright.testing.kit.generator;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;

import java.util.List;

/// Problems read from documents, by the same reader that reads a person's files.
public final class Snapshots {

    private static final SnapshotReader READER =
            new SnapshotReader(new CatalogueDefault(List::of, LabelVocabulary.CORE));

    private Snapshots() {}

    /// @throws dev.millwright.kube.document.DocumentException when the document is no snapshot
    public static SchedulingProblem problem(Document document) {
        return problem("document", SnapshotWriter.line(document));
    }

    public static SchedulingProblem problem(String name, String json) {
        return READER.read(List.of(Source.text(name, json))).problem();
    }
}
