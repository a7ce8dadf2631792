package dev.millwright.controllers.state;

import static dev.millwright.controllers.state.ClusterStage.ours;
import static dev.millwright.controllers.state.ClusterStage.waiting;
import static dev.millwright.testing.kit.cluster.Manifest.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Pods that keep others away do so from where they run.
final class AntiAffinityTest {

    private final ClusterStage given = new ClusterStage();

    private static Value.Mapping term() {
        return Tree.of("labelSelector", Tree.of("matchLabels", Tree.of("app", "shop")))
                .put("topologyKey", "kubernetes.io/hostname")
                .mapping();
    }

    /// A pod that does not want pods of the shop beside it.
    private static Manifest loner() {
        return pod("loner")
                .spec(
                        "affinity",
                        Tree.of(
                                        "podAntiAffinity",
                                        Tree.of()
                                                .putList(
                                                        "requiredDuringSchedulingIgnoredDuringExecution",
                                                        List.of(term())))
                                .mapping());
    }

    private static Manifest shy() {
        var preferred = Tree.of().put("weight", 1).put("podAffinityTerm", term()).mapping();
        return pod("shy")
                .spec(
                        "affinity",
                        Tree.of(
                                        "podAntiAffinity",
                                        Tree.of()
                                                .putList(
                                                        "preferredDuringSchedulingIgnoredDuringExecution",
                                                        List.of(preferred)))
                                .mapping());
    }

    private static Manifest shop() {
        return waiting("shop").label("app", "shop");
    }

    @Tag("G29")
    @Test
    void aRequiredWishOfARunningPodIsKept() {
        given.with(ours("n1"), loner().on("n1"));

        assertThat(given.with(shop()).placeOf("shop")).isEqualTo("none");
    }

    @Tag("G30")
    @Test
    void aPreferredWishOfARunningPodBindsNobody() {
        given.with(ours("n1"), shy().on("n1"));

        assertThat(given.with(shop()).placeOf("shop")).isEqualTo("n1");
    }

    @Tag("G31")
    @Test
    void aPodThatIsGoneKeepsNobodyAway() {
        given.with(ours("n1"), loner().on("n1"), shop());
        assertThat(given.placeOf("shop")).isEqualTo("none");

        given.gone(ResourceType.POD, "loner");

        assertThat(given.placeOf("shop")).isEqualTo("n1");
    }

    @Tag("G32")
    @Test
    void thePodMayBeKnownBeforeItsNode() {
        given.with(loner().on("n1"), shop());
        assertThat(given.placeOf("shop")).isEqualTo("none");

        given.with(ours("n1"), ours("n2"));

        assertThat(given.placeOf("shop")).isEqualTo("n2");
    }
}
