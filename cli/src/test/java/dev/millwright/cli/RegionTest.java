package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Clusters that are not in us-east-1, and what is not known of theirs.
class RegionTest {

    private static final String MANIFESTS =
            """
            {apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: general}, spec: {template: {spec: {
              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default},
              requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m5.xlarge]},
                             {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]}}}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{resources: {requests: {cpu: 1}}}]}}
            """;

    @TempDir private Path directory;

    private String prices(String... lines) throws IOException {
        return Files.writeString(directory.resolve("prices.csv"), String.join("\n", lines))
                .toString();
    }

    @ParameterizedTest
    @CsvSource({
        "eu-west-1a, 0.214, true",
        "ap-northeast-2c, 0.236, true",
        "us-gov-west-1b, 0.242, none",
        "us-east-1a, 0.192, none"
    })
    void runningNodesCostWhatTheirRegionAsks(String zone, String price, String isEstimated) {
        var run = Site.in(zone).run("plan", "-f", "-", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Site.at(run, "before/pricePerHour")).isEqualTo(price);
        assertThat(Site.at(run, "before/estimated")).isEqualTo(isEstimated);
        assertThat(Site.at(run, "prices/region")).isEqualTo(Site.in(zone).region());
    }

    @ParameterizedTest
    @CsvSource({
        "eu-west-1a, eu-west-1",
        "ap-northeast-2c, ap-northeast-2",
        "us-gov-west-1b, us-gov-west-1"
    })
    void newNodesAreBoughtInTheRegionOfTheOthers(String zone, String region) {
        var run = Site.in(zone).run("simulate", "-", "-o", "json");

        assertThat(Site.at(run, "nodes/0/zone")).startsWith(region);
        assertThat(Site.at(run, "nodes/0/capacityType")).isEqualTo("spot");
        assertThat(Site.at(run, "nodes/0/estimated")).isEqualTo("true");
        assertThat(Site.at(run, "nodes/0/priceAsOf")).startsWith("202");
        assertThat(Site.at(run, "estimated")).isEqualTo("true");
        assertThat(Site.at(run, "waiting")).isEqualTo("a list of 0");
    }

    @Test
    void aTableMarksEstimatesAndSaysTheDayOfThePrices() {
        var run = Site.in("eu-west-1a").run("simulate", "-");

        assertThat(run.out()).contains("cost: ~$0.").containsPattern("spot +~0\\.");
        assertThat(run.err())
                .contains(
                        "prices of eu-west-1: on demand as published on 2025-05-28; spot, and what ~ marks, is an estimate from prices of 2025-05-28");
    }

    @Test
    void aPlanMarksEstimatesToo() {
        var run = Site.in("eu-west-1a").run("plan", "-f", "-");

        assertThat(run.out()).contains("now:  1 node, 1 pod and 1 waiting, ~$0.2140 an hour");
    }

    @Test
    void whatIsNotKnownOfAGovernmentRegionIsSaid() {
        assertThat(Site.in("us-gov-west-1b").run("simulate", "-").err())
                .contains("on demand as published on 2026-06-15")
                .contains("which zone of us-gov-west-1 sells which type is not known");
    }

    @Test
    void explainOfAPodAbroadLeavesTheZoneAlone() {
        var run =
                Site.in("eu-west-1a")
                        .run("explain", "pod", "batch", "-n", "shop", "-f", "-", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).doesNotContain("require nothing of label");
    }

    @Test
    void aZoneThatNobodyKnowsStopsTheCommandWithItsName() {
        var run = Site.in("eu-west-1q").run("simulate", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("Node node-a")
                .contains(
                        "the zone \"eu-west-1q\" is unknown: eu-west-1 has eu-west-1a, eu-west-1b")
                .contains("--prices FILE");
    }

    @Test
    void aLocalZoneIsNamedToo() {
        assertThat(Site.in("us-east-1-bos-1a").run("simulate", "-").err())
                .contains("the zone \"us-east-1-bos-1a\" is unknown");
    }

    @Test
    void aTypeThatNobodyKnowsStopsTheCommandWithTheNearest() {
        var run = Site.in("eu-west-1a").ofType("m5.xlarg").run("plan", "-f", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("the instance type \"m5.xlarg\" is unknown, maybe \"m5.xlarge\"")
                .contains("m5.xlarg,*,on-demand,PRICE");
    }

    @Test
    void aRegionThatNobodyKnowsStopsTheCommandWithTheWaysOut() {
        var run = Site.in("cn-north-1a").run("simulate", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("the region cn-north-1 is unknown", "eu-west-1", "--prices aws");
    }

    @Test
    void nodesOfTwoRegionsAreRefused() {
        var second =
                Site.in("us-west-2a")
                        .yaml()
                        .lines()
                        .dropWhile(line -> !line.equals("kind: Node"))
                        .takeWhile(line -> !line.equals("---"))
                        .toList();
        var both =
                Site.in("eu-west-1a").yaml()
                        + "\n---\napiVersion: v1\n"
                        + String.join("\n", second)
                                .replace("node-a", "node-b")
                                .replace("i-a", "i-b");

        var run = CommandRun.reading(both, "simulate", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "found objects of 2 regions: eu-west-1 (Node node-a), us-west-2 (Node node-b); say which counts by --region");
    }

    @Test
    void aRegionCanBeNamed() {
        var run =
                CommandRun.reading(
                        MANIFESTS, "simulate", "--region", "eu-west-1", "-o", "json", "-");

        assertThat(Site.at(run, "pricePerHour")).isEqualTo("0.214");
    }

    @Test
    void aRegionThatNobodyNamedIsSaid() {
        var run = CommandRun.reading(MANIFESTS, "simulate", "-o", "json", "-");

        assertThat(Site.at(run, "pricePerHour")).isEqualTo("0.192");
        assertThat(run.err())
                .contains("prices of us-east-1, as no object names a region (--region names it)");
    }

    @Test
    void aRegionIsFoundInAPoolToo() {
        var pool =
                MANIFESTS.replace(
                        "requirements: [",
                        "requirements: [{key: topology.kubernetes.io/zone, operator: In, values: [eu-west-1b]}, ");
        var run = CommandRun.reading(pool, "simulate", "-o", "json", "-");

        assertThat(Site.at(run, "nodes/0/zone")).isEqualTo("eu-west-1b");
    }

    @Test
    void aPoolThatAsksForAnUnknownZoneIsTold() {
        var pool =
                MANIFESTS.replace(
                        "requirements: [",
                        "requirements: [{key: topology.kubernetes.io/zone, operator: In, values: [eu-west-1a, eu-west-1x]}, ");

        assertThat(CommandRun.reading(pool, "simulate", "-").err())
                .contains("NodePool general asks for zone eu-west-1x, which is unknown");
    }

    @Test
    void aListOfPricesCountsInEveryRegion() throws IOException {
        var list = prices("m5.xlarge,*,on-demand,0.2", "m5.2xlarge,eu-west-1b,on-demand,0.3");
        var run = Site.in("eu-west-1a").run("plan", "-f", "-", "--prices", list, "-o", "json");

        assertThat(Site.at(run, "before/pricePerHour")).isEqualTo("0.2");
        assertThat(Site.at(run, "before/estimated")).isEqualTo("none");
        assertThat(Site.at(run, "after/pricePerHour")).isEqualTo("0.5");
        assertThat(run.err()).contains("prices are those of " + list);
    }

    @Test
    void aListOfPricesOpensARegionThatTheCatalogueDoesNotKnow() throws IOException {
        var list = prices("m5.xlarge,*,on-demand,1.5", "m5.2xlarge,*,on-demand,3");
        var run = Site.in("cn-north-1a").run("simulate", "--prices", list, "-o", "json", "-");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Site.at(run, "nodes/0/zone")).isEqualTo("cn-north-1a");
        assertThat(Site.at(run, "pricePerHour")).isEqualTo("3");
    }

    @Test
    void aListOfPricesKnowsATypeThatNobodyElseKnows() throws IOException {
        var list = prices("m99.xlarge,*,on-demand,0.7", "m5.2xlarge,*,on-demand,0.3");
        var run =
                Site.in("eu-west-1a")
                        .ofType("m99.xlarge")
                        .run("plan", "-f", "-", "--prices", list, "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Site.at(run, "before/pricePerHour")).isEqualTo("0.7");
    }

    @Test
    void aListOfPricesThatIsNotThereIsNamed() {
        var run = Site.in("eu-west-1a").run("plan", "-f", "-", "--prices", "nofile");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("--prices nofile: there is no such file");
    }

    @Test
    void aLineThatIsNoPriceIsNamed() throws IOException {
        var list = prices("m5.xlarge,*,on-demand,cheap");
        var run = Site.in("eu-west-1a").run("plan", "-f", "-", "--prices", list);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("prices.csv:1: found \"m5.xlarge,*,on-demand,cheap\"");
    }

    @Test
    void poolsOfKwokBuyItsGenericMachines() {
        var run =
                CommandRun.reading(
                        """
                        {apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: general}, spec: {template: {spec: {
                          nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}, requirements: []}}}}
                        ---
                        {apiVersion: karpenter.kwok.sh/v1alpha1, kind: KWOKNodeClass, metadata: {name: default}}
                        ---
                        {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{resources: {requests: {cpu: 1}}}]}}
                        """,
                        "simulate",
                        "-o",
                        "json",
                        "-");

        assertThat(Site.at(run, "nodes/0/zone")).startsWith("test-zone-");
        assertThat(run.err()).contains("the generic ones of kwok").doesNotContain("left out");
    }
}
