package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.generation;
import static dev.millwright.testing.e2e.store.OnServer.meta;
import static dev.millwright.testing.e2e.store.OnServer.refused;
import static dev.millwright.testing.e2e.store.OnServer.uid;
import static dev.millwright.testing.e2e.store.OnServer.version;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.tree.Trees;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/// Versions, generations, names and what the server stamps on an object.
interface VersionBehaviour extends OnServer {

    ResourceType NOBODYS = new ResourceType("nobody.example", "v1", "things", "Thing", true);

    @Test
    default void versionsOfAllKindsGrowInOneSequence() {
        var first = create(CONFIG_MAP, configMap("a"));
        var second = create(ResourceType.NODE, node("a"));
        var third = done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "2"))));
        assertThat(version(first)).isLessThan(version(second));
        assertThat(version(second)).isLessThan(version(third));
    }

    @Test
    default void aListIsNotOlderThanWhatIsInIt() {
        var made = create(CONFIG_MAP, configMap("a"));
        var page = (ListAnswer.Page) api().list(CONFIG_MAP, ListQuery.all(0));
        assertThat(Long.parseLong(page.resourceVersion())).isGreaterThanOrEqualTo(version(made));
    }

    @Test
    default void aPatchThatChangesNothingGivesNoNewVersion() {
        var map = create(CONFIG_MAP, configMap("a"));
        var node = create(ResourceType.NODE, node("a"));
        var pool = create(ResourceType.NODE_POOL, nodePool("a"));

        var same = Tree.of("data", Tree.of("a", "1").putNothing("b"));
        assertThat(done(merge(CONFIG_MAP, "a", same))).isEqualTo(map);
        var bare = Tree.of("metadata", Tree.of().putList("finalizers", List.of()));
        assertThat(done(merge(ResourceType.NODE, "a", bare))).isEqualTo(node);
        assertThat(done(merge(ResourceType.NODE_POOL, "a", Tree.of("spec", Tree.of()))))
                .isEqualTo(pool);
    }

    @Test
    default void aPatchFromAnOldVersionIsAConflict() {
        var made = create(CONFIG_MAP, configMap("a"));
        done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "2"))));

        var late = meta(Tree.of("resourceVersion", Long.toString(version(made))));
        refused(merge(CONFIG_MAP, "a", late.put("data", Tree.of("a", "3"))), 409, "Conflict");
    }

    @Test
    default void aPatchFromTheVersionThatIsStoredIsDone() {
        var made = create(ResourceType.NODE_POOL, nodePool("a"));
        var locked = Tree.of("resourceVersion", Long.toString(version(made)));
        var after =
                done(
                        merge(
                                ResourceType.NODE_POOL,
                                "a",
                                meta(locked.put("labels", Tree.of("a", "b")))));
        assertThat(version(after)).isGreaterThan(version(made));
        refused(
                mergeStatus(
                        ResourceType.NODE_POOL,
                        "a",
                        meta(Tree.of("resourceVersion", Long.toString(version(made))))
                                .put("status", Tree.of("resources", Tree.of("nodes", "1")))),
                409,
                "Conflict");
    }

    @Test
    default void aPatchForAnotherUidIsRefused() {
        create(CONFIG_MAP, configMap("a"));
        var other = meta(Tree.of("uid", "9b1c1c1e-0000-4000-8000-000000000000"));
        refused(merge(CONFIG_MAP, "a", other.put("data", Tree.of("a", "2"))), 422, "Invalid");
    }

    @Test
    default void theGenerationCountsChangesOfTheSpecAlone() {
        var pool = create(ResourceType.NODE_POOL, nodePool("a"));
        assertThat(generation(pool)).isEqualTo(1);
        var labelled =
                merge(ResourceType.NODE_POOL, "a", meta(Tree.of("labels", Tree.of("a", "b"))));
        assertThat(generation(done(labelled))).isEqualTo(1);
        var status = Tree.of("status", Tree.of("resources", Tree.of("nodes", "1")));
        assertThat(generation(done(mergeStatus(ResourceType.NODE_POOL, "a", status)))).isEqualTo(1);
        var weight = Tree.of("spec", Tree.of().put("weight", 7));
        assertThat(generation(done(merge(ResourceType.NODE_POOL, "a", weight)))).isEqualTo(2);
    }

    @Test
    default void builtInKindsCountGenerationsToo() {
        assertThat(generation(create(ResourceType.DEPLOYMENT, deployment("a")))).isEqualTo(1);
        var three = Tree.of("spec", Tree.of().put("replicas", 3));
        assertThat(generation(done(merge(ResourceType.DEPLOYMENT, "a", three)))).isEqualTo(2);
        var noted = meta(Tree.of("annotations", Tree.of("x/y", "z")));
        assertThat(generation(done(merge(ResourceType.DEPLOYMENT, "a", noted)))).isEqualTo(3);
        assertThat(generation(create(ResourceType.POD, pod("a")))).isEqualTo(1);
        assertThat(
                        generation(
                                create(
                                        ResourceType.POD_DISRUPTION_BUDGET,
                                        EvictionBehaviour.budget("a"))))
                .isEqualTo(1);
    }

    @Test
    default void nodesAndLeasesAndConfigMapsHaveNoGeneration() {
        assertThat(generation(create(ResourceType.NODE, node("a")))).isNull();
        assertThat(generation(create(CONFIG_MAP, configMap("a")))).isNull();
        assertThat(generation(create(ResourceType.LEASE, meta(Tree.of("name", "a"))))).isNull();
        var cordoned = Tree.of("spec", Tree.of().put("unschedulable", true));
        assertThat(generation(done(merge(ResourceType.NODE, "a", cordoned)))).isNull();
    }

    @Test
    default void theServerFinishesANameItIsGivenTheBeginningOf() {
        var made = create(CONFIG_MAP, meta(Tree.of("generateName", "web-")));
        assertThat(Trees.meta(made, "name")).matches("web-[b-df-hj-np-tv-z2-9]{5}");
        assertThat(Trees.meta(made, "generateName")).isEqualTo("web-");
        var both = create(CONFIG_MAP, meta(Tree.of("generateName", "web-").put("name", "mine")));
        assertThat(Trees.meta(both, "name")).isEqualTo("mine");
    }

    @Test
    default void anObjectIsStampedByTheServer() {
        var made =
                create(
                        ResourceType.NODE,
                        meta(
                                Tree.of("name", own("a").name())
                                        .put("uid", "9b1c1c1e-0000-4000-8000-000000000000")
                                        .put("creationTimestamp", "2001-02-03T04:05:06Z")
                                        .put("deletionTimestamp", "2001-02-03T04:05:06Z")));
        assertThat(uid(made)).isNotEqualTo("9b1c1c1e-0000-4000-8000-000000000000").hasSize(36);
        assertThat(Instant.parse(Trees.meta(made, "creationTimestamp")))
                .isAfter(Instant.parse("2002-01-01T00:00:00Z"));
        assertThat(Trees.meta(made, "deletionTimestamp")).isEmpty();
    }

    @Test
    default void nobodyElseWritesWhatIsTheServers() {
        var made = create(CONFIG_MAP, configMap("a"));
        var change =
                meta(
                        Tree.of("creationTimestamp", "2001-02-03T04:05:06Z")
                                .put("generation", 9)
                                .put("labels", Tree.of("a", "b")));
        var after = done(merge(CONFIG_MAP, "a", change));
        assertThat(Trees.meta(after, "creationTimestamp"))
                .isEqualTo(Trees.meta(made, "creationTimestamp"));
        assertThat(generation(after)).isNull();
        assertThat(uid(after)).isEqualTo(uid(made));
    }

    @Test
    default void aNameThatIsTakenIsRefused() {
        create(CONFIG_MAP, configMap("a"));
        refused(tryCreate(CONFIG_MAP, configMap("a")), 409, "AlreadyExists");
    }

    @Test
    default void whatIsNotThereIsNotFound() {
        refused(api().read(CONFIG_MAP, in("a")), 404, "NotFound");
        refused(merge(CONFIG_MAP, "a", Tree.of()), 404, "NotFound");
        refused(delete(CONFIG_MAP, "a"), 404, "NotFound");
        refused(delete(ResourceType.NODE_CLAIM, "a"), 404, "NotFound");
    }

    @Test
    default void anObjectNeedsAName() {
        refused(tryCreate(CONFIG_MAP, Tree.of("metadata", Tree.of())), 422, "Invalid");
        refused(tryCreate(CONFIG_MAP, meta(Tree.of("name", "Not A Name"))), 422, "Invalid");
        refused(tryCreate(NODE_CLASS, meta(Tree.of("name", "A_b"))), 422, "Invalid");
    }

    @Test
    default void onlyABuiltInObjectNeedNotSayWhatItIs() {
        done(tryCreateAsIs(CONFIG_MAP, configMap("a")));
        refused(tryCreateAsIs(ResourceType.NODE_POOL, nodePool("a")), 400, "BadRequest");
        refused(
                tryCreateAsIs(
                        ResourceType.NODE_POOL,
                        nodePool("a").put("apiVersion", "karpenter.sh/v1").put("kind", "Other")),
                422,
                "Invalid");
    }

    @Test
    default void anObjectCannotBeRenamedOrMoved() {
        create(CONFIG_MAP, configMap("a"));
        refused(merge(CONFIG_MAP, "a", meta(Tree.of("name", "b"))), 400, "BadRequest");
        refused(merge(CONFIG_MAP, "a", meta(Tree.of("namespace", "b"))), 400, "BadRequest");
    }

    @Test
    default void aNewObjectHasNoVersionAndTheNamespaceOfItsPlace() {
        refused(
                tryCreate(CONFIG_MAP, meta(Tree.of("name", "a").put("resourceVersion", "7"))),
                500,
                "");
        refused(
                tryCreate(CONFIG_MAP, meta(Tree.of("name", "a").put("namespace", "other"))),
                400,
                "BadRequest");
    }

    @Test
    default void aResourceThatNobodyServesIsToldSo() {
        assertThat(api().list(NOBODYS, ListQuery.all(1))).isEqualTo(new ListAnswer.NotServed());
        assertThat(api().read(NOBODYS, in("a")).isNotFound()).isTrue();
    }
}
