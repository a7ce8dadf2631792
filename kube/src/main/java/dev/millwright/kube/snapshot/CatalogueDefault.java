package dev.millwright.kube.snapshot;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The same machines for every pool, and the words of their provider. The types are asked for only
/// when a pool is there: a catalogue takes time to read.
public record CatalogueDefault(Supplier<List<InstanceType>> types, LabelVocabulary vocabulary)
        implements PoolCatalogues {

    @Override
    public Answer of(Cluster cluster) {
        var byPool = new TreeMap<String, List<InstanceType>>();
        if (!cluster.nodePools().isEmpty()) {
            var all = types.get();
            cluster.nodePools().forEach(pool -> byPool.put(pool.name(), all));
        }
        return new Answer(byPool, vocabulary, PriceOrigins.OWN, List.of());
    }
}
