package dev.millwright.kube.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent.Rate;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

final class EventRecorderTest {

    private static final Subject WEB =
            new Subject("v1", "Pod", new ObjectName("shop", "web"), "uid-web");
    private static final Subject NODE =
            new Subject("v1", "Node", new ObjectName("", "node-1"), "uid-node");
    private static final Rate FIVE_A_SECOND = new Rate(5, 10);

    private final FakeClock clock = new FakeClock();
    private final FakeApi api = new FakeApi(clock);
    private final EventRecorder recorder =
            new EventRecorder(api, clock, clock::nanos, clock::sleep);

    private void publish(int times, KubeEvent event) {
        IntStream.range(0, times).forEach(_ -> recorder.publish(event));
        send();
    }

    private void send() {
        try {
            recorder.sendAll();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static KubeEvent nominated(int pod) {
        return new KubeEvent(
                KubeEvent.Type.NORMAL,
                "Nominated",
                new Subject("v1", "Pod", new ObjectName("shop", "web-" + pod), "uid-" + pod),
                "should schedule on node-1",
                List.of("uid-" + pod),
                KubeEvent.DEDUPE_DEFAULT,
                FIVE_A_SECOND);
    }

    private void nominate(int from, int to) {
        IntStream.range(from, to).forEach(pod -> recorder.publish(nominated(pod)));
        send();
    }

    private List<Value.Mapping> created() {
        return api.writes().stream()
                .filter(ApiWrite.Create.class::isInstance)
                .map(write -> ((ApiWrite.Create) write).body())
                .toList();
    }

    @Test
    @Tag("M100")
    void anEventIsWrittenAboutItsObjectByTheComponentKarpenter() {
        publish(1, KubeEvent.warning(WEB, "FailedScheduling", "no room"));

        assertThat(created())
                .containsExactly(
                        Tree.of("apiVersion", "v1")
                                .put("kind", "Event")
                                .put(
                                        "metadata",
                                        Tree.of("name", "web." + Long.toHexString(clock.nanos()))
                                                .put("namespace", "shop"))
                                .put(
                                        "involvedObject",
                                        Tree.of("apiVersion", "v1")
                                                .put("kind", "Pod")
                                                .put("namespace", "shop")
                                                .put("name", "web")
                                                .put("uid", "uid-web"))
                                .put("reason", "FailedScheduling")
                                .put("message", "no room")
                                .put("source", Tree.of("component", "karpenter"))
                                .put("firstTimestamp", clock.instant().toString())
                                .put("lastTimestamp", clock.instant().toString())
                                .put("count", 1)
                                .put("type", "Warning")
                                .put("reportingComponent", "karpenter")
                                .put("reportingInstance", "")
                                .mapping());
    }

    @Test
    @Tag("M101")
    void anEventOfAnObjectWithoutANamespaceGoesToDefault() {
        publish(1, KubeEvent.normal(NODE, "Unconsolidatable", "too big"));

        assertThat(created())
                .singleElement()
                .satisfies(
                        event ->
                                assertThat(Metadata.of(event).name().namespace())
                                        .isEqualTo("default"));
    }

    @Test
    @Tag("M102")
    void equalEventsCloseToEachOtherAreToldOnce() {
        publish(100, KubeEvent.normal(WEB, "Evicted", "drained"));

        assertThat(api.writes()).hasSize(1);
    }

    @Test
    @Tag("M103")
    void eventsOfDifferentObjectsAreToldEach() {
        publish(50, KubeEvent.normal(WEB, "Evicted", "drained"));
        publish(50, KubeEvent.normal(NODE, "Evicted", "drained"));

        assertThat(created()).hasSize(2);
    }

    @Test
    @Tag("M104")
    void theSizeOfTheReasonsLettersTellsNoEventsApart() {
        publish(1, KubeEvent.normal(WEB, "Evicted", "drained"));
        publish(1, KubeEvent.normal(WEB, "EVICTED", "drained"));

        assertThat(created()).hasSize(1);
    }

    @Test
    @Tag("M105")
    void anEventIsToldAgainAfterTwoMinutes() {
        var event = KubeEvent.normal(WEB, "Evicted", "drained");
        publish(1, event);
        clock.advance(Duration.ofSeconds(119));
        publish(1, event);
        assertThat(api.writes()).hasSize(1);

        clock.advance(Duration.ofSeconds(1));
        publish(1, event);
        assertThat(api.writes()).hasSize(2);
    }

    @Test
    @Tag("M106")
    void anEventMayNameATimeOfItsOwn() {
        var event =
                KubeEvent.normal(WEB, "Evicted", "drained")
                        .dedupedBy(List.of("uid-web"), Duration.ofSeconds(2));
        publish(10, event);
        clock.advance(Duration.ofSeconds(2));
        publish(10, event);

        assertThat(api.writes()).hasSize(2);
    }

    @Test
    @Tag("M107")
    void ofALimitedReasonABurstIsToldAtOnce() {
        nominate(0, 100);

        assertThat(created()).hasSize(10);
    }

    @Test
    @Tag("M108")
    void ofALimitedReasonEventsAreToldAtItsRateOverTime() {
        nominate(0, 100);
        clock.advance(Duration.ofSeconds(1));
        nominate(100, 200);
        clock.advance(Duration.ofSeconds(1));
        nominate(200, 300);

        assertThat(created()).hasSize(20);
    }

    @Test
    void anEventWithNothingToTellItApartByIsAlwaysNews() {
        publish(
                3,
                KubeEvent.normal(WEB, "Evicted", "drained")
                        .dedupedBy(List.of(), Duration.ofMinutes(1)));

        assertThat(api.writes()).hasSize(3);
    }

    @Test
    void anEventToldBeforeIsCountedUpWhereItStands() {
        var event = KubeEvent.normal(WEB, "Evicted", "drained");
        publish(1, event);
        var name = Metadata.of(created().getFirst()).name();
        clock.advance(Duration.ofMinutes(3));
        publish(1, event);

        assertThat(api.writes().getLast())
                .isEqualTo(
                        new ApiWrite.Patch(
                                ResourceType.EVENT,
                                name,
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Tree.of()
                                        .put("count", 2)
                                        .put("lastTimestamp", clock.instant().toString())
                                        .mapping()));
    }

    @Test
    void anEventThatTheServerForgotIsWrittenAnew() {
        var event = KubeEvent.normal(WEB, "Evicted", "drained");
        publish(1, event);
        api.vanish(ResourceType.EVENT, Metadata.of(created().getFirst()).name());
        clock.advance(Duration.ofMinutes(3));
        publish(1, event);

        assertThat(created()).hasSize(2);
        assertThat(recorder.dropped()).isZero();
    }

    @Test
    void aServerThatIsAwayIsTriedThreeTimes() {
        api.nextAnswer(new ApiAnswer.Unreachable("away"))
                .nextAnswer(new ApiAnswer.Refused(503, "", ""))
                .nextAnswer(new ApiAnswer.Refused(429, "", ""));
        publish(1, KubeEvent.normal(WEB, "Evicted", "drained"));

        assertThat(api.writes()).hasSize(3);
        assertThat(recorder.dropped()).isOne();
    }

    @Test
    void anEventThatIsRefusedForWhatItSaysIsDroppedAtOnce() {
        api.nextAnswer(new ApiAnswer.Refused(403, "Forbidden", "namespace is terminating"));
        publish(1, KubeEvent.normal(WEB, "Evicted", "drained"));

        assertThat(api.writes()).hasSize(1);
        assertThat(recorder.dropped()).isOne();
    }

    @Test
    void eventsThatFindNoRoomAreDroppedAndCounted() {
        IntStream.range(0, 1_100)
                .forEach(
                        number ->
                                recorder.publish(
                                        KubeEvent.normal(WEB, "Evicted", "drained")
                                                .dedupedBy(List.of(), Duration.ZERO)));

        assertThat(recorder.dropped()).isEqualTo(100);
    }

    @Test
    void aNameOfAnyLengthLeavesRoomForTheTime() {
        var longest = new Subject("v1", "Pod", new ObjectName("shop", "x".repeat(253)), "u");
        publish(1, KubeEvent.normal(longest, "Evicted", "drained"));

        assertThat(Metadata.of(created().getFirst()).name().name()).hasSizeLessThanOrEqualTo(253);
    }
}
