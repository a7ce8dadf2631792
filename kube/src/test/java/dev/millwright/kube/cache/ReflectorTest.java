package dev.millwright.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.KubeApi.WatchEnd;
import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cluster.ScriptedKubeApi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

final class ReflectorTest {

    private final FakeClock clock = new FakeClock();
    private final ScriptedKubeApi api = new ScriptedKubeApi();
    private final List<String> told = new ArrayList<>();
    private final List<ReflectorNote> notes = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();

    @AfterEach
    void forgetTheInterruptAtTheEndOfTheScript() {
        Thread.interrupted();
    }

    private Reflector reflector(Reflector.Subject subject) {
        var surroundings =
                new Reflector.Surroundings(
                        clock,
                        pause -> {
                            pauses.add(pause);
                            clock.sleep(pause);
                        },
                        new SplittableRandom(7));
        return new Reflector(api, subject, new Told(), surroundings, (_, note) -> notes.add(note));
    }

    private Reflector run() {
        var reflector = reflector(Reflector.Subject.all(ResourceType.POD));
        reflector.run();
        return reflector;
    }

    /// Writes down what it is told.
    private final class Told implements ObjectSink {

        private static String of(Value.Mapping object) {
            var metadata = Metadata.of(object);
            return metadata.name().name() + "@" + metadata.resourceVersion();
        }

        @Override
        public void begin() {
            told.add("begin");
        }

        @Override
        public void item(Value.Mapping object) {
            told.add("item " + of(object));
        }

        @Override
        public void end(String resourceVersion) {
            told.add("end " + resourceVersion);
        }

        @Override
        public void put(Value.Mapping object) {
            if (Metadata.of(object).name().name().equals("poison")) {
                throw new IllegalStateException("cannot read it");
            }
            told.add("put " + of(object));
        }

        @Override
        public void removed(Value.Mapping object) {
            told.add("removed " + of(object));
        }
    }

    private static Value.Mapping pod(String name, int version) {
        return Tree.of(
                        "metadata",
                        Tree.of("name", name)
                                .put("uid", "uid-" + name)
                                .put("resourceVersion", Integer.toString(version)))
                .mapping();
    }

    private static WatchEvent put(String name, int version) {
        return new WatchEvent.Put(pod(name, version));
    }

    private static WatchEvent removed(String name, int version) {
        return new WatchEvent.Removed(pod(name, version));
    }

    private static ListAnswer page(int version, String token, Value.Mapping... items) {
        return new ListAnswer.Page(List.of(items), Integer.toString(version), token);
    }

    @Test
    void aListIsReadByPagesAndWatchedFromItsVersion() {
        api.list(page(10, "next", pod("a", 1)), page(10, "", pod("b", 2)))
                .watch(WatchEnd.CLOSED, put("c", 11), removed("a", 12));

        var reflector = run();

        assertThat(told)
                .containsExactly(
                        "begin", "item a@1", "item b@2", "end 10", "put c@11", "removed a@12");
        assertThat(api.listed())
                .containsExactly(ListQuery.all(500), ListQuery.all(500).next("next"));
        assertThat(api.watchedFrom()).startsWith("10");
        assertThat(reflector.isSynced()).isTrue();
    }

    @Test
    void aWatchThatTheServerEndedGoesOnFromTheLastVersionOrBookmark() {
        api.list(page(10, ""))
                .watch(WatchEnd.CLOSED, put("a", 11))
                .watch(WatchEnd.CLOSED, new WatchEvent.Bookmark("50"))
                .watch(WatchEnd.CLOSED, put("b", 51));

        run();

        assertThat(api.watchedFrom()).startsWith("10", "11", "50");
        assertThat(api.listed()).hasSize(1);
        assertThat(told).containsExactly("begin", "end 10", "put a@11", "put b@51");
    }

    @Test
    void aBrokenConnectionGoesOnFromTheLastVersionToo() {
        api.list(page(10, ""))
                .watch(WatchEnd.FAILED, put("a", 11))
                .watch(WatchEnd.CLOSED, put("b", 12));

        run();

        assertThat(api.watchedFrom()).startsWith("10", "11");
        assertThat(api.listed()).hasSize(1);
        assertThat(pauses).isNotEmpty();
    }

    @Test
    void anExpiredWatchIsFollowedByAList() {
        api.list(page(10, "", pod("a", 1)), page(90, "", pod("b", 80)))
                .watch(WatchEnd.EXPIRED, put("c", 11))
                .watch(WatchEnd.CLOSED, put("d", 91));

        run();

        assertThat(told)
                .containsExactly(
                        "begin",
                        "item a@1",
                        "end 10",
                        "put c@11",
                        "begin",
                        "item b@80",
                        "end 90",
                        "put d@91");
        assertThat(api.watchedFrom()).startsWith("10", "90");
    }

    @Test
    void aListThatExpiresBetweenPagesBeginsAgain() {
        api.list(
                        page(10, "next", pod("a", 1)),
                        new ListAnswer.Expired("too old"),
                        page(20, "", pod("a", 1), pod("b", 2)))
                .watch(WatchEnd.CLOSED, put("c", 21));

        run();

        assertThat(told).startsWith("begin", "item a@1", "begin", "item a@1", "item b@2", "end 20");
        assertThat(notes).contains(new ReflectorNote.ListExpired("too old"));
    }

    @Test
    void aFailedListIsTriedAgainAfterEverLongerPauses() {
        api.list(
                new ListAnswer.Failed("403"),
                new ListAnswer.Failed("403"),
                new ListAnswer.Failed("403"),
                new ListAnswer.Failed("403"),
                new ListAnswer.Failed("403"),
                new ListAnswer.Failed("403"),
                new ListAnswer.Failed("403"));

        var reflector = run();

        assertThat(reflector.isSynced()).isFalse();
        assertThat(pauses.getFirst()).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
        assertThat(pauses.subList(0, 6)).isSorted();
        assertThat(pauses.get(6)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void watchesThatOnlyFailEndInAList() {
        api.list(page(10, ""), page(20, "", pod("a", 15)))
                .watch(WatchEnd.FAILED)
                .watch(WatchEnd.FAILED)
                .watch(WatchEnd.FAILED)
                .watch(WatchEnd.CLOSED, put("b", 21));

        run();

        assertThat(api.watchedFrom()).startsWith("10", "10", "10", "20");
        assertThat(told).contains("item a@15");
    }

    @Test
    void aServerThatEndsEachWatchAtOnceIsNotAskedInATightLoop() {
        api.list(page(10, "")).watch(WatchEnd.CLOSED).watch(WatchEnd.CLOSED);

        run();

        assertThat(pauses).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void pausesAreShortAgainAfterAnEvent() {
        api.list(page(10, ""))
                .watch(WatchEnd.FAILED)
                .watch(WatchEnd.FAILED)
                .watch(WatchEnd.FAILED, put("a", 11));

        run();

        assertThat(pauses.get(2)).isLessThan(Duration.ofMillis(1600));
    }

    @Test
    void anOptionalResourceThatNobodyServesIsSyncedAndEmptyAndAskedForEachHalfMinute() {
        api.list(new ListAnswer.NotServed(), page(10, "", pod("a", 1)));
        var reflector = reflector(Reflector.Subject.all(ResourceType.POD).optional());

        reflector.run();

        assertThat(reflector.isSynced()).isTrue();
        assertThat(told).startsWith("begin", "begin", "end ", "begin", "item a@1", "end 10");
        assertThat(pauses).first().isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aNeededResourceThatNobodyServesIsWaitedFor() {
        api.list(new ListAnswer.NotServed(), new ListAnswer.NotServed());

        assertThat(run().isSynced()).isFalse();
        assertThat(told).doesNotContain("end ");
    }

    @Test
    void objectsOutliveAMomentWithoutTheirDefinitionButNotHalfAMinute() {
        api.list(page(10, "", pod("a", 1)), new ListAnswer.NotServed(), new ListAnswer.NotServed())
                .watch(WatchEnd.NOT_SERVED);

        reflector(Reflector.Subject.all(ResourceType.POD).optional()).run();

        assertThat(told)
                .startsWith("begin", "item a@1", "end 10", "begin", "begin", "begin", "end ");
    }

    @Test
    void anObjectTheSinkCannotTakeIsToldAndTheOthersGoOn() {
        api.list(page(10, "")).watch(WatchEnd.CLOSED, put("poison", 11), put("b", 12));

        run();

        assertThat(told).contains("put b@12");
        assertThat(notes)
                .anySatisfy(
                        note ->
                                assertThat(note)
                                        .isInstanceOfSatisfying(
                                                ReflectorNote.SinkFailed.class,
                                                failed ->
                                                        assertThat(failed.name())
                                                                .isEqualTo(
                                                                        new ObjectName(
                                                                                "", "poison"))));
    }

    @Test
    void aClientThatThrowsIsSurvivedByAList() {
        api.list(page(10, ""), page(20, ""))
                .watch(
                        _ -> {
                            throw new IllegalStateException("a fault of ours");
                        });

        run();

        assertThat(told).startsWith("begin", "end 10", "begin", "end 20");
    }

    @Test
    void itKnowsWhenItLastHeardFromTheServer() {
        api.list(page(10, ""))
                .watch(
                        sink -> {
                            clock.advance(Duration.ofMinutes(1));
                            sink.accept(new WatchEvent.Bookmark("11"));
                            clock.advance(Duration.ofMinutes(2));
                            return WatchEnd.FAILED;
                        });

        var begun = clock.instant();
        var reflector = run();

        assertThat(reflector.lastHeardFrom()).isEqualTo(begun.plus(Duration.ofMinutes(1)));
        assertThat(reflector.lastTurn()).isAfter(reflector.lastHeardFrom());
    }
}
