package dev.millwright.world.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.World;

import org.junit.jupiter.api.Test;

final class SharedReadingTest {

    private final SharedReading reading = SharedReading.of(World.traits());

    @Test
    void whatOneProcessHasReadTheNextIsGiven() {
        var node = node("1", "blue");
        var first = reading.read(Kind.NODE, node);
        assertThat(reading.read(Kind.NODE, node)).isSameAs(first);
    }

    @Test
    void aLaterStateIsReadAnewAndSoIsTheOneBefore() {
        var before = node("1", "blue");
        var after = node("2", "green");
        reading.read(Kind.NODE, before);
        assertThat(reading.read(Kind.NODE, after).meta().labels()).containsEntry("color", "green");
        assertThat(reading.read(Kind.NODE, before).meta().labels()).containsEntry("color", "blue");
    }

    @Test
    void kindsOfOneResourceAreKeptApart() {
        var set =
                Tree.of("metadata", Tree.of("name", "web").put("namespace", "shop"))
                        .put("spec", Tree.of().put("replicas", 2))
                        .mapping();
        assertThat(reading.read(Kind.REPLICA_SET, set))
                .isNotEqualTo(reading.read(Kind.REPLICA_SET_SELECTOR, set));
    }

    private static Value.Mapping node(String version, String color) {
        return Tree.of(
                        "metadata",
                        Tree.of("name", "one")
                                .put("resourceVersion", version)
                                .put("labels", Tree.of("color", color)))
                .mapping();
    }
}
