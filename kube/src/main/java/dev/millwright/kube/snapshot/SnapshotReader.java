package dev.millwright.kube.snapshot;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Source;

import java.util.List;

/// Reads files of Kubernetes objects, or of a problem, into one problem.
public final class SnapshotReader {

    private final CatalogueDefault catalogue;

    public SnapshotReader(CatalogueDefault catalogue) {
        this.catalogue = catalogue;
    }

    /// All files together are one cluster. A file whose text is broken does not keep the faults of
    /// the others from being told.
    ///
    /// @throws DocumentException with all that is wrong
    public SnapshotFile read(List<Source> sources) {
        var faults = new Faults();
        var collection = new SnapshotCollection(catalogue.vocabulary(), faults);
        for (var source : sources) {
            try {
                var sink = collection.sink(source.name());
                DocumentReader.read(source, sink);
                sink.end();
            } catch (DocumentException broken) {
                broken.faults().forEach(faults::add);
            }
        }
        faults.throwIfAny();
        var name = sources.isEmpty() ? "" : ObjectSink.baseName(sources.getFirst().name());
        return new SnapshotAssembly(collection, catalogue).file(name);
    }
}
