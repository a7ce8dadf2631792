package dev.millwright.world.operator;

import dev.millwright.controllers.roster.Roster;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.Reading;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.spi.CloudTraits;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one process of a world has read, the next need not read again. A day with all faults sees
/// hundreds of processes, and each lists the same few objects of the same store.
public final class SharedReading implements Reading {

    /// Objects of one kind that are remembered, the latest ones.
    private static final int OBJECTS_MAX = 5_000;

    /// An object of the store, which never changes, and what it says.
    private record Read(Value.Mapping object, KubeObject value) {}

    private final Map<Kind<?>, Map<ObjectName, Read>> known = new HashMap<>();
    private final ObjectReader reader;
    private final List<Kind<NodeClassObject>> classKinds;

    private SharedReading(ObjectReader reader, List<Kind<NodeClassObject>> classKinds) {
        this.reader = reader;
        this.classKinds = List.copyOf(classKinds);
    }

    public static SharedReading of(CloudTraits traits) {
        return new SharedReading(new ObjectReader(traits.vocabulary()), Roster.classKinds(traits));
    }

    List<Kind<NodeClassObject>> classKinds() {
        return classKinds;
    }

    @Override
    @SuppressWarnings({
        "unchecked", // What is known by a kind was read by it.
        "ReferenceEquality" // The very same object; an equal one is as quickly read as compared.
    })
    public <T extends KubeObject> T read(Kind<T> kind, Value.Mapping object) {
        var reads = known.computeIfAbsent(kind, _ -> latest());
        var name = Metadata.of(object).name();
        var read = reads.get(name);
        if (read != null && read.object() == object) {
            return (T) read.value();
        }
        var value = kind.read(reader, object);
        reads.put(name, new Read(object, value));
        return value;
    }

    private static Map<ObjectName, Read> latest() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<ObjectName, Read> eldest) {
                return size() > OBJECTS_MAX;
            }
        };
    }
}
