package dev.millwright.testing.kit.generator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.EnumSet;

class WorldsTest {

    @Test
    void theSameSeedGivesTheSameWorld() {
        assertThat(SnapshotWriter.line(Worlds.document(7, 40)))
                .isEqualTo(SnapshotWriter.line(Worlds.document(7, 40)));
    }

    @Test
    void anotherSeedGivesAnotherWorld() {
        assertThat(SnapshotWriter.line(Worlds.document(7, 40)))
                .isNotEqualTo(SnapshotWriter.line(Worlds.document(8, 40)));
    }

    @Test
    void aWorldOfAllFeaturesHasObjectsOfAllKinds() {
        var world = Worlds.document(1, 100, EnumSet.allOf(Feature.class));

        assertThat(world.items())
                .extracting(item -> Tree.text(item, "kind"))
                .contains(
                        "NodePool",
                        "NodeClaim",
                        "Node",
                        "Pod",
                        "DaemonSet",
                        "Namespace",
                        "PersistentVolume",
                        "PersistentVolumeClaim",
                        "StorageClass");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        var world = Worlds.document(5, 40);

        assertThat(PlainJson.text(PlainJson.object(SnapshotWriter.line(world)), false))
                .isEqualTo(SnapshotWriter.line(world));
    }
}
