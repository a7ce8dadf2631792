package dev.millwright.providers.aws.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.DisruptionBudgets;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PodObject;
import dev.millwright.spi.ec2.Ec2Labels;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

final class DrainWordsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectReader READER = new ObjectReader(Ec2Labels.VOCABULARY);

    private static PodObject pod(String name, String metadata) {
        return READER.pod(
                object(
                        """
                        {"metadata": {"name": "%s", "namespace": "shop", "labels": {"app": "%s"}%s},
                         "spec": {"nodeName": "node-1", "containers": []},
                         "status": {"phase": "Running"}}
                        """
                                .formatted(name, name.replaceFirst("-.*", ""), metadata)));
    }

    private static DisruptionBudgets budgets(String... names) {
        return new DisruptionBudgets(
                Stream.of(names)
                        .map(
                                name ->
                                        object(
                                                """
                                                {"metadata": {"name": "%s", "namespace": "shop"},
                                                 "spec": {"selector": {"matchLabels": {"app": "db"}},
                                                          "maxUnavailable": 1},
                                                 "status": {"disruptionsAllowed": 0}}
                                                """
                                                        .formatted(name)))
                        .map(READER::disruptionBudget)
                        .map(Kept::value)
                        .toList());
    }

    private static Value.Mapping object(String json) {
        try {
            return JsonReader.object(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void whatKeepsAPodIsNamed() {
        var pods =
                List.of(
                        pod("db-0", ""),
                        pod(
                                "job-1",
                                ", \"annotations\": {\"karpenter.sh/do-not-disrupt\": \"true\"}"),
                        pod("web-1", ""),
                        pod("web-2", ", \"deletionTimestamp\": \"2026-01-01T12:00:20Z\""));

        assertThat(DrainWords.words(pods, budgets("db"), NOON))
                .isEqualTo(
                        "waits: pod shop/db-0 is kept by PodDisruptionBudget shop/db, which lets none go now;"
                                + " pod shop/job-1 asks by karpenter.sh/do-not-disrupt to stay; 2 pods leave");
    }

    @Test
    void twoBudgetsOnOnePodAreToldAsWhatTheyAre() {
        assertThat(DrainWords.words(List.of(pod("db-0", "")), budgets("db", "all"), NOON))
                .contains("several PodDisruptionBudgets", "shop/all, shop/db");
    }

    @Test
    void ofManyAFewAreNamed() {
        var pods =
                Stream.of("db-0", "db-1", "db-2", "db-3", "db-4")
                        .map(each -> pod(each, ""))
                        .toList();

        assertThat(DrainWords.words(pods, budgets("db"), NOON))
                .contains("shop/db-2")
                .doesNotContain("shop/db-3")
                .endsWith("2 more pods are kept so");
    }

    @Test
    void anEmptyNodeOnlyEnds() {
        assertThat(DrainWords.words(List.of(), budgets(), NOON))
                .isEqualTo("is empty; its instance ends");
    }
}
