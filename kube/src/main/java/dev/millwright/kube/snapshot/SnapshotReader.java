package dev.millwright.kube.snapshot;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// Reads files of Kubernetes objects, or of a problem, into one problem.
public final class SnapshotReader {

    private final PoolCatalogues catalogue;
    private final boolean isStrict;

    public SnapshotReader(PoolCatalogues catalogue) {
        this(catalogue, false);
    }

    /// @param isStrict whether fields that nobody knows are faults, and not only told of
    public SnapshotReader(PoolCatalogues catalogue, boolean isStrict) {
        this.catalogue = catalogue;
        this.isStrict = isStrict;
    }

    /// What a plan depends on, in the order it is asked for.
    private static final List<ResourceType> LIVE =
            List.of(
                    ResourceType.NODE_POOL,
                    ResourceType.NODE_CLAIM,
                    ResourceType.NODE_OVERLAY,
                    ResourceType.NODE,
                    ResourceType.POD,
                    ResourceType.NAMESPACE,
                    ResourceType.SERVICE,
                    ResourceType.REPLICATION_CONTROLLER,
                    ResourceType.PERSISTENT_VOLUME,
                    ResourceType.PERSISTENT_VOLUME_CLAIM,
                    ResourceType.STORAGE_CLASS,
                    ResourceType.CSI_NODE,
                    ResourceType.DAEMON_SET,
                    ResourceType.REPLICA_SET,
                    ResourceType.STATEFUL_SET,
                    ResourceType.POD_DISRUPTION_BUDGET);

    private static final int PAGE = 500;

    /// A cluster as it is now. The lists are read one after another, as kubectl reads them: between
    /// the first and the last something may change.
    ///
    /// @param nodeClasses the kinds of node classes to read besides; a cluster serves those of its
    ///   provider alone
    /// @throws IOException when the cluster says no
    public static SequencedMap<ResourceType, List<Value.Mapping>> objects(
            KubeApi api, List<ResourceType> nodeClasses) throws IOException {
        var objects = new LinkedHashMap<ResourceType, List<Value.Mapping>>();
        for (var type : Stream.concat(LIVE.stream(), nodeClasses.stream()).toList()) {
            objects.put(type, Pages.all(api, type, KubeApi.ListQuery.all(PAGE)));
        }
        return objects;
    }

    /// @param objects as [#objects] reads them
    /// @throws DocumentException with all that is wrong with them
    public SnapshotFile read(String name, SequencedMap<ResourceType, List<Value.Mapping>> objects) {
        var faults = new Faults();
        var collection = new SnapshotCollection(catalogue.vocabulary(), faults);
        var sink = collection.sink(name);
        objects.forEach((type, all) -> sink.listed(all, type.apiVersion(), type.kind()));
        faults.throwIfAny();
        return new SnapshotAssembly(collection, catalogue).file(name);
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
        if (isStrict) {
            collection.unknownFields.found().forEach(unknown -> faults.add(unknown.fault()));
        }
        faults.throwIfAny();
        var name = sources.isEmpty() ? "" : ObjectSink.baseName(sources.getFirst().name());
        return new SnapshotAssembly(collection, catalogue).file(name);
    }
}
