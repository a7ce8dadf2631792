package dev.millwright.kube.cache;

import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.Meta;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.generator.Seeds;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// A cache fed by a reflector ends up as the server is, whatever happened in between.
final class ReflectorProperties {

    private static final int SEEDS = 500;
    private static final int FAULTS = 40;

    private static Kept<String> read(Value.Mapping object) {
        var meta = Meta.of(Field.root("object", object, new Faults()));
        return new Kept<>(meta, meta.name().name());
    }

    private static List<String> state(ObjectCache<Kept<String>> cache) {
        return cache.all().stream()
                .map(object -> object.value() + "@" + object.meta().resourceVersion())
                .toList();
    }

    /// What a listener makes of the changes it hears, by their own story.
    private static final class Story {
        private final TreeMap<String, String> versions = new TreeMap<>();
        private final List<String> faults = new ArrayList<>();

        void tell(Change<Kept<String>> change) {
            var name = change.name().name();
            var before = change.before();
            var known = versions.get(name);
            var said = before == null ? null : before.meta().resourceVersion();
            if (known == null ? said != null : !known.equals(said)) {
                faults.add("%s was %s and is said to have been %s".formatted(name, known, said));
            }
            if (change.isRemoval()) {
                versions.remove(name);
            } else {
                versions.put(name, change.latest().meta().resourceVersion());
            }
        }
    }

    private static @Nullable String faultOf(long seed) {
        var clock = new FakeClock();
        var cache = new ObjectCache<Kept<String>>(ReflectorProperties::read);
        var story = new Story();
        cache.listen(story::tell);
        var server =
                new FaultyServer(
                        seed,
                        FAULTS,
                        event -> {
                            switch (event) {
                                case WatchEvent.Put(var object) -> cache.put(object);
                                case WatchEvent.Removed(var object) -> cache.remove(object);
                                case WatchEvent.Bookmark _ -> {}
                            }
                        });
        var reflector =
                new Reflector(
                        server,
                        Reflector.Subject.all(ResourceType.NAMESPACE),
                        new CacheSink(List.of(cache)),
                        new Reflector.Surroundings(clock, clock::sleep, new SplittableRandom(seed)),
                        (_, _) -> {});
        reflector.run();
        Thread.interrupted();
        if (!state(cache).equals(server.state())) {
            return "the server has %s, the cache %s".formatted(server.state(), state(cache));
        }
        return story.faults.isEmpty() ? null : story.faults.toString();
    }

    @Test
    void aCacheEndsUpAsTheServerIsWhateverHappenedInBetween() {
        Seeds.forEach(SEEDS, ReflectorProperties::faultOf);
    }
}
