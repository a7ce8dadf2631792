package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.labelled;
import static dev.millwright.testing.e2e.store.OnServer.meta;
import static dev.millwright.testing.e2e.store.OnServer.refused;
import static dev.millwright.testing.e2e.store.OnServer.uid;
import static dev.millwright.testing.e2e.store.OnServer.version;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.KubeApi.WatchEnd;
import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.KubeApi.WatchQuery;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Lists, pages, selectors and watches.
interface SelectionBehaviour extends OnServer {

    /// Long enough for events that have happened; a watch that ended told all it had.
    Duration WATCH_TIME = Duration.ofSeconds(2);

    /// A server tells two seconds before the end how far it is.
    Duration BOOKMARK_TIME = Duration.ofSeconds(5);

    private List<String> names(ResourceType type, String labels, String fields) {
        var query = new ListQuery(namespace(), labels, fields, 0, "");
        var answer = api().list(type, query);
        assertThat(answer).isInstanceOf(ListAnswer.Page.class);
        return ((ListAnswer.Page) answer)
                .items().stream().map(item -> Trees.meta(item, "name")).toList();
    }

    private void mapsABC() {
        create(CONFIG_MAP, labelled("c", Map.of("x", "3")));
        create(CONFIG_MAP, labelled("a", Map.of("x", "1", "y", "1")));
        create(CONFIG_MAP, labelled("b", Map.of("x", "2")));
    }

    @Test
    default void aListIsInTheOrderOfNames() {
        mapsABC();
        assertThat(names(CONFIG_MAP, "x", "")).containsExactly("a", "b", "c");
    }

    @Test
    default void labelsSelect() {
        mapsABC();
        assertThat(names(CONFIG_MAP, "x=1", "")).containsExactly("a");
        assertThat(names(CONFIG_MAP, "x==1", "")).containsExactly("a");
        assertThat(names(CONFIG_MAP, "x,x!=1", "")).containsExactly("b", "c");
        assertThat(names(CONFIG_MAP, "x in (1,2)", "")).containsExactly("a", "b");
        assertThat(names(CONFIG_MAP, "x,x notin (1, 2)", "")).containsExactly("c");
        assertThat(names(CONFIG_MAP, "y", "")).containsExactly("a");
        assertThat(names(CONFIG_MAP, "x,!y", "")).containsExactly("b", "c");
        assertThat(names(CONFIG_MAP, "x=1,y=2", "")).isEmpty();
    }

    @Test
    default void fieldsSelect() {
        create(ResourceType.POD, pod("a"));
        boundPod("b");
        runningPod("c", true);
        assertThat(names(ResourceType.POD, "", "metadata.name=a")).containsExactly("a");
        assertThat(names(ResourceType.POD, "", "metadata.namespace!=" + namespace())).isEmpty();
        assertThat(names(ResourceType.POD, "", "spec.nodeName=nowhere")).containsExactly("b", "c");
        assertThat(names(ResourceType.POD, "", "spec.nodeName=")).containsExactly("a");
        assertThat(names(ResourceType.POD, "", "status.phase=Pending")).containsExactly("a", "b");
        assertThat(names(ResourceType.POD, "", "spec.nodeName=nowhere,status.phase!=Pending"))
                .containsExactly("c");
        assertThat(names(ResourceType.POD, "app=web", "spec.nodeName!=nowhere"))
                .containsExactly("a");
    }

    @Test
    default void notEveryFieldSelects() {
        var query = new ListQuery(namespace(), "", "spec.hostname=a", 0, "");
        assertThat(api().list(ResourceType.POD, query)).isInstanceOf(ListAnswer.Failed.class);
        var custom = new ListQuery("", "", "spec.weight=1", 0, "");
        assertThat(api().list(ResourceType.NODE_POOL, custom))
                .isInstanceOf(ListAnswer.Failed.class);
    }

    @Test
    default void allPagesAreOfTheVersionOfTheFirst() {
        mapsABC();
        var query = new ListQuery(namespace(), "x", "", 2, "");
        var first = (ListAnswer.Page) api().list(CONFIG_MAP, query);
        assertThat(first.items()).hasSize(2);
        done(delete(CONFIG_MAP, "c"));
        var second = (ListAnswer.Page) api().list(CONFIG_MAP, query.next(first.continueToken()));
        assertThat(second.items()).hasSize(1);
        assertThat(Trees.meta(second.items().getFirst(), "name")).isEqualTo("c");
        assertThat(second.continueToken()).isEmpty();
        assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
    }

    @Test
    default void aListThatFitsIsOnePage() {
        mapsABC();
        var page =
                (ListAnswer.Page)
                        api().list(CONFIG_MAP, new ListQuery(namespace(), "x", "", 3, ""));
        assertThat(page.items()).hasSize(3);
        assertThat(page.continueToken()).isEmpty();
    }

    record Told(List<WatchEvent> events, WatchEnd end) {

        List<String> words() {
            return events.stream()
                    .map(
                            event ->
                                    switch (event) {
                                        case WatchEvent.Put(var object) -> "put " + brief(object);
                                        case WatchEvent.Removed(var object) ->
                                                "removed " + brief(object);
                                        case WatchEvent.Bookmark(_) -> "";
                                    })
                    .filter(word -> !word.isEmpty())
                    .toList();
        }

        private static String brief(Value.Mapping object) {
            return Trees.meta(object, "name") + " " + Trees.text(object, "data", "a");
        }
    }

    private Told watch(
            ResourceType type, String labels, String fields, long version, Duration time) {
        var events = new ArrayList<WatchEvent>();
        var query = new WatchQuery(namespace(), labels, fields, Long.toString(version), time);
        var end =
                api().watch(
                                type,
                                query,
                                event -> {
                                    events.add(event);
                                    return true;
                                });
        return new Told(events, end);
    }

    @Test
    default void aWatchTellsEveryChangeAfterItsVersion() {
        var first = create(CONFIG_MAP, configMap("a"));
        done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "2"))));
        create(CONFIG_MAP, configMap("b"));
        done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "2"))));
        done(delete(CONFIG_MAP, "a"));
        var told =
                watch(
                        CONFIG_MAP,
                        "",
                        "metadata.name!=kube-root-ca.crt",
                        version(first),
                        WATCH_TIME);
        assertThat(told.words()).containsExactly("put a 2", "put b 1", "removed a 2");
        assertThat(told.end()).isEqualTo(WatchEnd.CLOSED);
    }

    @Test
    default void whatIsRemovedHasTheVersionOfItsEnd() {
        var made = create(CONFIG_MAP, configMap("a"));
        done(delete(CONFIG_MAP, "a"));
        var told = watch(CONFIG_MAP, "", "metadata.name=a", version(made), WATCH_TIME);
        assertThat(told.events().getFirst())
                .isInstanceOfSatisfying(
                        WatchEvent.Removed.class,
                        removed -> {
                            assertThat(version(removed.object())).isGreaterThan(version(made));
                            assertThat(uid(removed.object())).isEqualTo(uid(made));
                        });
    }

    @Test
    default void aWatchIsToldHowFarItIs() {
        var made = create(CONFIG_MAP, configMap("a"));
        done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "2"))));
        var unseen = new ArrayList<Long>();
        var told = new ArrayList<WatchEvent>();
        var query =
                new WatchQuery(
                        namespace(),
                        "",
                        "metadata.name=a",
                        Long.toString(version(made)),
                        BOOKMARK_TIME);
        api().watch(
                        CONFIG_MAP,
                        query,
                        event -> {
                            told.add(event);
                            if (unseen.isEmpty()) {
                                unseen.add(version(create(CONFIG_MAP, configMap("b"))));
                            }
                            return true;
                        });
        assertThat(told.size()).isGreaterThan(1);
        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        WatchEvent.Bookmark.class,
                        bookmark ->
                                assertThat(Long.parseLong(bookmark.resourceVersion()))
                                        .isGreaterThanOrEqualTo(unseen.getFirst()));
    }

    @Test
    default void whatComesIntoAWatchIsPutAndWhatLeavesItIsRemoved() {
        var made = create(CONFIG_MAP, configMap("a"));
        done(merge(CONFIG_MAP, "a", meta(Tree.of("labels", Tree.of("x", "1")))));
        done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "2"))));
        done(merge(CONFIG_MAP, "a", meta(Tree.of("labels", Tree.of("x", "2")))));
        done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "3"))));
        var told = watch(CONFIG_MAP, "x=1", "", version(made), WATCH_TIME);
        assertThat(told.words()).containsExactly("put a 1", "put a 2", "removed a 2");
    }

    @Test
    default void aDeletedPodIsMarkedBeforeItIsGone() {
        var made = create(ResourceType.POD, pod("a"));
        done(delete(ResourceType.POD, "a"));
        var told = watch(ResourceType.POD, "", "metadata.name=a", version(made), WATCH_TIME);
        assertThat(told.words()).containsExactly("put a ", "removed a ");
        var marked = (WatchEvent.Put) told.events().getFirst();
        assertThat(Trees.number(marked.object(), "metadata", "deletionGracePeriodSeconds"))
                .isEqualTo(0);
    }

    @Test
    default void aVersionThatIsForgottenIsTooOld() {
        var made = create(CONFIG_MAP, configMap("a"));
        done(merge(CONFIG_MAP, "a", Tree.of("data", Tree.of("a", "2"))));
        server().forgetHistory(CONFIG_MAP);
        var told = watch(CONFIG_MAP, "", "", version(made), WATCH_TIME);
        assertThat(told.end()).isEqualTo(WatchEnd.EXPIRED);
    }

    @Test
    default void aLeaseIsTakenByOneOfTwo() {
        var lease =
                create(
                        ResourceType.LEASE,
                        meta(Tree.of("name", "a"))
                                .put("spec", Tree.of("holderIdentity", "nobody")));
        var base = Tree.of("resourceVersion", Long.toString(version(lease)));
        var one = meta(base).put("spec", Tree.of("holderIdentity", "one"));
        var two = meta(base).put("spec", Tree.of("holderIdentity", "two"));
        done(merge(ResourceType.LEASE, "a", one));
        refused(merge(ResourceType.LEASE, "a", two), 409, "Conflict");
        assertThat(Trees.text(read(ResourceType.LEASE, "a"), "spec", "holderIdentity"))
                .isEqualTo("one");
    }
}
