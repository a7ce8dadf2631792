package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.cli.replay.RecordedReel;
import dev.millwright.cli.replay.Replay;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.kube.record.RecordEntry;
import dev.millwright.kube.record.RecordHead;
import dev.millwright.kube.record.RecordReader;
import dev.millwright.kube.record.RecordWriter;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class ReplayCommandTest {

    private static final String ON_DEMAND =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements:
                  - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
              disruption:
                consolidateAfter: 0s
                budgets: [{nodes: "100%"}]
            """;

    @TempDir private static Path folder;

    private static Path world() {
        return folder.resolve("world.mwrecord");
    }

    @BeforeAll
    static void recordAWorld() {
        var run =
                CommandRun.of(
                        "world",
                        "-q",
                        "--seeds=9",
                        "--hours=0.2",
                        "--pods=12",
                        "--no-shrink",
                        "--record=" + world());
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aRecordedWorldIsDecidedTheSameAgain() {
        var run = CommandRun.of("replay", "-q", world().toString(), "-o", "json");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern("\"decisions\" : [1-9][0-9]+,")
                .contains("\"different\" : 0,", "\"differences\" : [ ],", "\"damages\" : [ ],");
        assertThat(number(run.out(), "identical")).isEqualTo(number(run.out(), "decisions"));
    }

    @Test
    void aRecordIsAReelOfItsDecisions() throws IOException {
        var decisions =
                number(
                        CommandRun.of("replay", "-q", world().toString(), "-o", "json").out(),
                        "decisions");
        try (var reader = RecordReader.open(world())) {
            var recorded = RecordedReel.of("a day", reader, new Replay.Wish(null, null, null));
            assertThat(recorded.left()).isZero();
            assertThat(recorded.reel().length()).isEqualTo(decisions);
            assertThat(recorded.reel().picture(decisions / 2).nodes()).isNotEmpty();
        }
    }

    @Test
    void aRecordIsShownOnAPage() throws IOException, InterruptedException {
        try (var page = VisitedPage.of("", "replay", world().toString(), "--port", "0")) {
            assertThat(page.get("/api/moments")).contains("\"isLive\":false");
            assertThat(page.get("/api/picture")).contains("\"isReadOnly\":true");
        }
    }

    @Test
    void aPageOfAnotherPolicyIsRefused() {
        var run =
                CommandRun.of("replay", "-q", world().toString(), "--port=0", "--packing=cheapest");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--port shows decisions as they were recorded");
    }

    @Test
    void aTimeWithoutDecisionsShowsNothing() {
        var run =
                CommandRun.of(
                        "replay", world().toString(), "--port=0", "--from=2999-01-01T00:00:00Z");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("holds no decision of that time");
    }

    private static int number(String json, String key) {
        return Integer.parseInt(json.replaceAll("(?s).*\"" + key + "\" : ([0-9]+),.*", "$1"));
    }

    @Test
    void otherPoolsDecideOtherwiseAndThatIsNoFailure() throws IOException {
        var pools = Files.writeString(folder.resolve("pools.yaml"), ON_DEMAND);
        var run = CommandRun.of("replay", "-q", world().toString(), "--policy", pools.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("$/H LAUNCHED", "EVICTIONS", "CPU MS/DECISION", "on-demand in")
                .containsPattern("[1-9][0-9]* different");
    }

    @Test
    void aPolicyWithoutAPoolIsWrongUsage() {
        var run = CommandRun.reading("kind: List\n", "replay", world().toString(), "--policy", "-");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--policy: found no NodePool in -; wanted at least one");
    }

    @Test
    void onlyDecisionsOfTheTimeAreLookedAt() {
        var run =
                CommandRun.of("replay", "-q", world().toString(), "--from", "2030-01-01T00:00:00Z");
        assertThat(run.out()).isEqualTo("0 decisions, 0 identical, 0 different\n");
        assertThat(CommandRun.of("replay", world().toString(), "--to", "noon").err())
                .contains("--to: found \"noon\"; wanted a moment such as 2026-01-05T06:00:00Z");
    }

    @Test
    void aRecordThatWasCutOffIsReplayedAsFarAsItGoesAndFails() throws IOException {
        var bytes = Files.readAllBytes(world());
        var cut =
                Files.write(
                        folder.resolve("cut.mwrecord"), Arrays.copyOf(bytes, bytes.length - 400));
        var run = CommandRun.of("replay", cut.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("cut.mwrecord: damaged at byte");
        assertThat(run.out()).containsPattern("^[1-9][0-9]+ decisions");
    }

    @Test
    void aFileThatIsNoRecordFails() throws IOException {
        var file = Files.writeString(folder.resolve("pools.txt"), ON_DEMAND);
        var run = CommandRun.of("replay", file.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("pools.txt: found \"apiVersion: karpenter.sh/v1\"; wanted");
    }

    /// As if the version that wrote the record had launched nothing.
    private static Path otherwise() throws IOException {
        var file = folder.resolve("otherwise.mwrecord");
        try (var writer =
                RecordWriter.create(file, new RecordHead("another version", Instant.EPOCH))) {
            for (var plan : launches()) {
                var problem = plan.problem();
                var nothing =
                        new Plan(List.of(), List.of(), List.of(), 0, 0, problem.policy().packing());
                writer.write(new Deliberation.Provisioning(problem, nothing));
            }
        }
        return file;
    }

    private static List<Deliberation.Provisioning> launches() throws IOException {
        var launches = new ArrayList<Deliberation.Provisioning>();
        try (var reader = RecordReader.open(world())) {
            reader.forEachRemaining(
                    entry -> {
                        if (entry instanceof RecordEntry.Decided(_, var decided)
                                && decided instanceof Deliberation.Provisioning plan
                                && !plan.plan().claims().isEmpty()) {
                            launches.add(plan);
                        }
                    });
        }
        return launches;
    }

    @Test
    void aDecisionThatComesOutOtherwiseIsShownAndFails() throws IOException {
        var run = CommandRun.of("replay", "-q", otherwise().toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("NUMBER", "provisioning", "nothing besides", "launch ")
                .contains("0 identical");
    }

    @Test
    void oneSeedIsRecordedAtATimeAndNothingIsOverwritten() {
        assertThat(CommandRun.of("world", "--seeds=1..2", "--record=" + world()).err())
                .contains("--record: found 2 seeds; wanted one");
        assertThat(CommandRun.of("world", "--seeds=1", "--record=" + world()).err())
                .contains("is there already; name another file");
    }
}
