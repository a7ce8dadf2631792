package dev.millwright.providers.sim.kwok;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.NodeClassState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

final class KwokLookupsTest {

    private static final Kind<NodeClassObject> CLASSES = Kind.nodeClass(KwokNodeClass.TYPE);

    private final View view =
            new View(new ObjectReader(LabelVocabulary.CORE), List.of(), List.of(CLASSES));

    @Test
    void nodesAreFoundInTheCachesAsSoonAsTheyAreLearned() {
        var nodes = NodeLookup.of(view);
        assertThat(nodes.find("a")).isEqualTo(new NodeLookup.Found.Missing());

        nodes.learn(node("a"));

        assertThat(nodes.find("a")).isInstanceOf(NodeLookup.Found.There.class);
        assertThat(nodes.all())
                .isInstanceOfSatisfying(
                        NodeLookup.Listed.Nodes.class,
                        listed -> assertThat(listed.nodes()).hasSize(1));
    }

    @Test
    void classesAreFoundInTheCaches() {
        var classes = KwokNodeClass.of(view);
        assertThat(classes.find(KwokRig.named("slow"))).isInstanceOf(NodeClassState.Missing.class);

        view.cache(CLASSES)
                .put(
                        Tree.of("metadata", Tree.of("name", "slow"))
                                .put("spec", Tree.of("nodeRegistrationDelay", "90s"))
                                .mapping());

        assertThat(classes.find(KwokRig.named("slow")))
                .isEqualTo(new NodeClassState.Ready(Duration.ofSeconds(90)));
    }

    @Test
    void pagesAreReadToTheEndAndBeginAnewWhenTheyGrewTooOld() {
        var pages =
                new Pages(
                        new KubeApi.ListAnswer.Page(List.of(node("a")), "1", "next"),
                        new KubeApi.ListAnswer.Expired("too old"),
                        new KubeApi.ListAnswer.Page(List.of(node("a")), "2", "next"),
                        new KubeApi.ListAnswer.Page(List.of(node("b")), "2", ""));

        assertThat(NodeLookup.of(pages).all())
                .isInstanceOfSatisfying(
                        NodeLookup.Listed.Nodes.class,
                        listed ->
                                assertThat(listed.nodes())
                                        .extracting(node -> node.meta().name().name())
                                        .containsExactly("a", "b"));
    }

    @Test
    void halfAListIsAFailure() {
        var pages =
                new Pages(
                        new KubeApi.ListAnswer.Page(List.of(node("a")), "1", "next"),
                        new KubeApi.ListAnswer.Failed("connection reset"));

        assertThat(NodeLookup.of(pages).all()).isInstanceOf(NodeLookup.Listed.Failed.class);
    }

    @Test
    void aServerThatDoesNotAnswerLeavesTheClassUnknown() {
        assertThat(KwokNodeClass.of(new Pages()).find(KwokRig.named("default")))
                .isInstanceOf(NodeClassState.Unknown.class);
    }

    private static Value.Mapping node(String name) {
        return Tree.of("metadata", Tree.of("name", name).put("uid", name)).mapping();
    }

    /// Answers lists as told and nothing else.
    private static final class Pages implements KubeApi {
        private final Deque<ListAnswer> answers;

        Pages(ListAnswer... answers) {
            this.answers = new ArrayDeque<>(List.of(answers));
        }

        @Override
        public ListAnswer list(ResourceType type, ListQuery query) {
            return answers.removeFirst();
        }

        @Override
        public ApiAnswer read(ResourceType type, ObjectName name) {
            return new ApiAnswer.Unreachable("connection refused");
        }

        @Override
        public ApiAnswer write(ApiWrite write) {
            return new ApiAnswer.Unreachable("connection refused");
        }

        @Override
        public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
            return WatchEnd.FAILED;
        }
    }
}
