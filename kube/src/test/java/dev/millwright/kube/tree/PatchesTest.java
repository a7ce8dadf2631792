package dev.millwright.kube.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What the suite on both servers cannot see: that trees share what did not change.
final class PatchesTest {

    private static final Value.Mapping POD =
            Tree.of("metadata", Tree.of("name", "a").put("labels", Tree.of("x", "1")))
                    .put("spec", Tree.of("nodeName", "n"))
                    .mapping();

    @Test
    void aMergeThatChangesNothingGivesTheSameTree() {
        var same = Tree.of("metadata", Tree.of("labels", Tree.of("x", "1").putNothing("y")));
        assertThat(MergePatch.apply(POD, same.mapping())).isSameAs(POD);
        assertThat(StrategicPatch.apply(POD, same.mapping())).isSameAs(POD);
    }

    @Test
    void aMergeSharesWhatItDoesNotTouch() {
        var after =
                MergePatch.apply(
                        POD, Tree.of("metadata", Tree.of("labels", Tree.of("x", "2"))).mapping());
        assertThat(after.fields().get("spec")).isSameAs(POD.fields().get("spec"));
        assertThat(Trees.text(after, "metadata", "labels", "x")).isEqualTo("2");
        assertThat(Trees.text(POD, "metadata", "labels", "x")).isEqualTo("1");
    }

    @Test
    void operationsThatFailLeaveTheTreeAsItWas() {
        var operations =
                List.<Value>of(
                        Tree.of("op", "remove").put("path", "/spec").mapping(),
                        Tree.of("op", "test")
                                .put("path", "/spec/nodeName")
                                .put("value", "n")
                                .mapping());
        assertThatThrownBy(() -> JsonPatch.apply(POD, operations))
                .isInstanceOf(JsonPatch.Unprocessable.class);
        assertThat(Trees.text(POD, "spec", "nodeName")).isEqualTo("n");
    }

    @Test
    void anOrderThatIsStatedIsKept() {
        var object = Tree.of().putTextList("finalizers", List.of("a", "b", "c")).mapping();
        var patch =
                Tree.of()
                        .putTextList("$setElementOrder/finalizers", List.of("c", "a"))
                        .putTextList("finalizers", List.of("c"))
                        .mapping();
        assertThat(Trees.list(StrategicPatch.apply(object, patch), "finalizers"))
                .containsExactly(Trees.text("c"), Trees.text("a"), Trees.text("b"));
    }

    @Test
    void emptyListsAndNullsAreDropped() {
        var object =
                Tree.of()
                        .putList("taints", List.of())
                        .putNothing("providerID")
                        .put("emptyDir", Tree.of())
                        .mapping();
        assertThat(Empties.dropped(object, null))
                .isEqualTo(Tree.of("emptyDir", Tree.of()).mapping());
        assertThat(Empties.dropped(POD, null)).isSameAs(POD);
    }
}
