package dev.millwright.capi.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

final class ScopeTest {

    private static final ClusterApi CORE = ClusterApi.of("v1beta2");

    private final View view = View.only(List.copyOf(Kinds.all(CORE)));

    private RawObject put(Kind<RawObject> kind, String yaml) {
        var object = (Value.Mapping) DocumentReader.readAll(Source.text("object", yaml)).getFirst();
        view.cache(kind).put(object);
        return RawObject.of(object);
    }

    private RawObject cluster(String filter) {
        return put(
                CORE.cluster(),
                "metadata: {name: shop, namespace: a, labels: {cluster.x-k8s.io/watch-filter: %s}}"
                        .formatted(filter));
    }

    private RawObject workspace(String apply) {
        return put(
                CaptTypes.WORKSPACE,
                "metadata: {name: shop-vpc, annotations: {millwright.dev/apply: %s}}"
                        .formatted(apply));
    }

    private static Scope filter(String value) {
        return new Scope("", value, CORE);
    }

    @Test
    void withoutASettingEverythingIsOurs() {
        var scope = new Scope("", "", CORE);
        assertThat(scope.holds(view, workspace("b/shop-vpc"))).isTrue();
        assertThat(scope.holds(view, cluster("other"))).isTrue();
    }

    @Test
    void aWorkspaceIsOfItsAppliesNamespace() {
        var scope = new Scope("a", "", CORE);
        assertThat(scope.holds(view, workspace("a/shop-vpc"))).isTrue();
        assertThat(scope.holds(view, workspace("ab/shop-vpc"))).isFalse();
        assertThat(scope.holds(view, put(CaptTypes.WORKSPACE, "metadata: {name: alone}")))
                .isFalse();
    }

    @Test
    void theLabelDecidesWhereThereIsOne() {
        assertThat(filter("blue").holds(view, cluster("blue"))).isTrue();
        assertThat(filter("blue").holds(view, cluster("green"))).isFalse();
        assertThat(
                        filter("blue")
                                .holds(
                                        view,
                                        put(
                                                CORE.cluster(),
                                                "metadata: {name: bare, namespace: a}")))
                .isFalse();
    }

    @Test
    void whatBelongsToAnObjectOfOursIsOurs() {
        cluster("blue");
        put(
                CaptTypes.CLUSTER,
                """
                metadata:
                  name: shop
                  namespace: a
                  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster, name: shop, uid: u}]
                """);
        put(
                CaptTypes.APPLY,
                """
                metadata:
                  name: shop-vpc
                  namespace: a
                  ownerReferences:
                  - {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: CAPTCluster, name: shop, uid: u}
                """);
        var workspace = workspace("a/shop-vpc");
        assertThat(filter("blue").holds(view, workspace)).isTrue();
        assertThat(filter("green").holds(view, workspace)).isFalse();
    }

    @Test
    void theClusterOfALabelCounts() {
        cluster("blue");
        var machine =
                put(
                        CaptTypes.MACHINE,
                        "metadata: {name: m, namespace: a, labels: {cluster.x-k8s.io/cluster-name: shop}}");
        assertThat(filter("blue").holds(view, machine)).isTrue();
    }

    @Test
    void ownersInACircleEnd() {
        var one =
                put(
                        CaptTypes.APPLY,
                        "metadata: {name: x, namespace: a, annotations: {millwright.dev/apply: a/x}}");
        assertThat(filter("blue").holds(view, one)).isFalse();
    }

    @Test
    void aControllerLooksAtObjectsOfOursAndAtThoseThatAreGone() {
        var looked =
                new Scoped(
                        CaptTypes.WORKSPACE, new Looking(), new Scope("a", "", CORE), Pace.of(3));
        workspace("b/shop-vpc");
        var key = new ObjectName("", "shop-vpc");
        assertThat(looked.step(view, key, Instant.EPOCH)).isEqualTo(Step.DONE);
        assertThat(looked.step(view, new ObjectName("", "gone"), Instant.EPOCH))
                .isEqualTo(Step.RETRY);
        workspace("a/shop-vpc");
        assertThat(looked.step(view, key, Instant.EPOCH)).isEqualTo(Step.RETRY);
        assertThat(looked.pace().atOnce()).isEqualTo(3);
        assertThat(looked.name()).isEqualTo("looking");
    }

    private static final class Looking implements Controller {
        @Override
        public String name() {
            return "looking";
        }

        @Override
        public List<Watch<?>> watches() {
            return List.of(Watch.own(CaptTypes.WORKSPACE));
        }

        @Override
        public Pace pace() {
            return Pace.of(1);
        }

        @Override
        public Step step(View view, ObjectName key, Instant now) {
            return Step.RETRY;
        }
    }

    @Test
    void whatHasANamespaceIsWatchedThereAlone() {
        assertThat(Kinds.subject(CaptTypes.APPLY.type(), CORE, "a").namespace()).isEqualTo("a");
        assertThat(Kinds.subject(CaptTypes.WORKSPACE.type(), CORE, "a").namespace()).isEmpty();
        assertThat(Kinds.subject(CaptTypes.APPLY.type(), CORE, "").namespace()).isEmpty();
    }

    @Test
    void whatACoreMayLeaveOutIsOptional() {
        assertThat(Kinds.subject(CORE.machinePool().type(), CORE, "").isOptional()).isTrue();
        assertThat(Kinds.subject(CaptTypes.NAMESPACED_WORKSPACE.type(), CORE, "").isOptional())
                .isTrue();
        assertThat(Kinds.subject(CORE.cluster().type(), CORE, "").isOptional()).isFalse();
    }
}
