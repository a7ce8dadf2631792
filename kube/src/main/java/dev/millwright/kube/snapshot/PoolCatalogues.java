package dev.millwright.kube.snapshot;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.object.NodeClassObject;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The machines that each pool can buy when the files bring none: by the pool's class and the
/// cluster's region.
public interface PoolCatalogues {

    /// A node class of any provider.
    record ClassOfKind(String kind, NodeClassObject object) {}

    /// What was read of a cluster.
    ///
    /// @param name the file, or what messages call the cluster
    record Cluster(
            String name,
            Snapshot snapshot,
            List<NodePool> nodePools,
            List<NodeOverlay> overlays,
            List<ClassOfKind> classes) {

        public Cluster {
            nodePools = List.copyOf(nodePools);
            overlays = List.copyOf(overlays);
            classes = List.copyOf(classes);
        }
    }

    /// @param byPool what each pool can buy
    /// @param notes what a person should know of it
    record Answer(
            SequencedMap<String, List<InstanceType>> byPool,
            LabelVocabulary vocabulary,
            PriceOrigins origins,
            List<String> notes) {

        public Answer {
            byPool = Collections.unmodifiableSequencedMap(new TreeMap<>(byPool));
            notes = List.copyOf(notes);
        }
    }

    /// The words by which objects are read.
    LabelVocabulary vocabulary();

    /// @throws DocumentException when the cluster has machines or zones that are not known
    Answer of(Cluster cluster);

    /// The machines that the files bring, at the prices that are in force.
    default List<InstanceType> priced(List<InstanceType> own) {
        return own;
    }
}
