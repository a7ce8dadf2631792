package dev.millwright.kube.cache;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.document.Value;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Feeds all caches of one resource.
public final class CacheSink implements ObjectSink {

    private final List<? extends ObjectCache<?>> caches;

    /// Names of the list that is under way.
    private final Set<ObjectName> listed = new HashSet<>();

    public CacheSink(List<? extends ObjectCache<?>> caches) {
        this.caches = List.copyOf(caches);
    }

    @Override
    public void begin() {
        listed.clear();
    }

    @Override
    public void item(Value.Mapping object) {
        listed.add(Metadata.of(object).name());
        put(object);
    }

    @Override
    public void end(String resourceVersion) {
        caches.forEach(cache -> cache.retain(listed, resourceVersion));
        listed.clear();
    }

    @Override
    public void put(Value.Mapping object) {
        caches.forEach(cache -> cache.put(object));
    }

    @Override
    public void removed(Value.Mapping object) {
        caches.forEach(cache -> cache.remove(object));
    }
}
