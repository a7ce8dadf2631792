package dev.millwright.dashboard.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Counters;
import dev.millwright.dashboard.picture.Picture.Decision;
import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.Machine;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Pace;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.Picture.Pod;
import dev.millwright.dashboard.picture.Picture.Price;
import dev.millwright.dashboard.picture.Picture.Share;
import dev.millwright.dashboard.picture.Picture.Workload;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class PictureJsonTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private static Node node(String name, Pod... pods) {
        return new Node(
                name,
                new Machine("default", "m5.large", "zone-a", CapacityType.SPOT, 0.0345),
                Phase.READY,
                null,
                new Share(500, 2_000),
                new Share(1, 8),
                List.of(pods));
    }

    private static Picture picture(List<Node> nodes, List<Moment> history, long decisions) {
        return new Picture(
                "demo",
                new Pace(NOON, NOON, 60, false),
                false,
                nodes,
                new Workload(List.of(), List.of()),
                new Price(0.1 + 0.2, 0.25, history),
                Counters.NONE,
                java.util.stream.LongStream.range(0, decisions)
                        .mapToObj(number -> new Decision(number, NOON, Kind.LAUNCH, "no " + number))
                        .toList());
    }

    private static Moment moment(int second) {
        return new Moment(NOON.plusSeconds(second), second, second, 1, 1);
    }

    @Test
    void aNodeIsWrittenWithItsPods() {
        var json =
                PictureJson.whole(
                        picture(List.of(node("a", new Pod("x/p", "x", 500, 1))), List.of(), 0),
                        false);
        assertThat(json)
                .contains(
                        "\"nodes\":[{\"name\":\"a\",\"pool\":\"default\",\"type\":\"m5.large\",\"zone\":\"zone-a\",\"capacityType\":\"spot\",\"pricePerHour\":0.0345,\"phase\":\"ready\",\"cpuUsed\":500,\"cpuTotal\":2000,\"memoryUsed\":1,\"memoryTotal\":8,\"pods\":[{\"name\":\"x/p\",\"owner\":\"x\",\"cpu\":500,\"memory\":1}]}]");
    }

    @Test
    void pricesAreWrittenWithoutTheNoiseOfSums() {
        assertThat(PictureJson.whole(picture(List.of(), List.of(), 0), true))
                .contains("\"pricePerHour\":0.3,")
                .contains("\"isReadOnly\":true");
    }

    @Test
    void aChangeHoldsOnlyTheNodesThatDiffer() {
        var before = picture(List.of(node("a"), node("b"), node("c")), List.of(), 0);
        var after =
                picture(
                        List.of(node("a"), node("c", new Pod("x/p", "x", 1, 1)), node("d")),
                        List.of(),
                        0);
        var change = PictureJson.change(before, after);
        assertThat(change).contains("\"gone\":[\"b\"]").doesNotContain("\"name\":\"a\"");
        assertThat(change).contains("\"name\":\"c\"").contains("\"name\":\"d\"");
        assertThat(change).doesNotContain("waiting").doesNotContain("deployments");
    }

    @Test
    void aChangeHoldsTheDecisionsThatCameAfter() {
        var change =
                PictureJson.change(
                        picture(List.of(), List.of(), 2), picture(List.of(), List.of(), 3));
        assertThat(change).contains("\"text\":\"no 2\"").doesNotContain("\"text\":\"no 1\"");
    }

    @Test
    void aLongerHistoryIsSentFromWhereTheReaderStopped() {
        var change =
                PictureJson.change(
                        picture(List.of(), List.of(moment(0), moment(1)), 0),
                        picture(List.of(), List.of(moment(0), moment(1), moment(2)), 0));
        assertThat(change)
                .contains("\"moments\":[{\"at\":1767614402000,")
                .doesNotContain("history");
    }

    @Test
    void aHistoryThatWasThinnedOutIsSentAsAWhole() {
        var change =
                PictureJson.change(
                        picture(List.of(), List.of(moment(0), moment(1)), 0),
                        picture(List.of(), List.of(moment(0), moment(2)), 0));
        assertThat(change).contains("\"history\":[{").doesNotContain("moments");
    }

    @Test
    void textCannotBreakOutOfItsQuotes() {
        assertThat(PictureJson.field("error", "a \"b\" \\ \n\u2028"))
                .isEqualTo("{\"error\":\"a \\\"b\\\" \\\\ \\u000a\\u2028\"}");
    }

    @Test
    void aNodeSaysWhyItStays() {
        var node = node("a");
        var kept =
                new Node(
                        node.name(),
                        node.machine(),
                        node.phase(),
                        node.endsAt(),
                        node.cpuMillis(),
                        node.memoryBytes(),
                        node.pods(),
                        "kept: pod \"b\" must not be disturbed");

        assertThat(PictureJson.whole(picture(List.of(kept), List.of(), 0), true))
                .contains("\"kept\":\"kept: pod \\\"b\\\" must not be disturbed\"");
        assertThat(PictureJson.whole(picture(List.of(node), List.of(), 0), true))
                .doesNotContain("\"kept\"");
    }
}
