package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;
import java.util.regex.Pattern;

/// What the charts do for safety when nobody asks: who may connect, how many pods may be missing
/// and what they take of a node.
final class DefaultsIT {

    private static final Helm HELM = Helm.alone();
    private static final String CLUSTER = "settings.clusterName=shop";
    private static final Pattern PORT = Pattern.compile("\"port\":\"([\\w-]+)\"");
    private static final Set<String> POLICIES = Set.of("NetworkPolicy", "PodDisruptionBudget");

    private static Rendered rendered(String chart, String values) {
        var needed = chart.equals("millwright") ? CLUSTER : "crds.enabled=false";
        return HELM.template(Tools.chart(chart), "--set", needed + "," + values);
    }

    private static String only(Rendered rendered, String kind, String... path) {
        return rendered.objects().stream()
                .filter(each -> kind.equals(each.text("kind")))
                .map(each -> rendered.json(each, path))
                .reduce("", String::concat);
    }

    // ---- who may connect

    @ParameterizedTest
    @CsvSource({
        "millwright, 'http-metrics http'",
        "capt, 'https health'",
        "addons, 'https health'",
    })
    void aPodLetsInScrapesAndProbesAlone(String chart, String ports) {
        var ingress = only(rendered(chart, "replicas=1"), "NetworkPolicy", "spec", "ingress");

        assertThat(PORT.matcher(ingress).results().map(found -> found.group(1)))
                .containsExactly(ports.split(" "));
    }

    @Test
    void theWebhookAndThePageAreLetInWhereTheyAreAskedFor() {
        assertThat(only(rendered("millwright", "webhook.enabled=true"), "NetworkPolicy", "spec"))
                .contains("\"port\":\"https-webhook\"")
                .doesNotContain("http-dashboard");
        assertThat(
                        only(
                                rendered(
                                        "millwright",
                                        "dashboard.enabled=true,dashboard.service=true"),
                                "NetworkPolicy",
                                "spec"))
                .doesNotContain("http-dashboard");
        assertThat(
                        only(
                                rendered(
                                        "millwright",
                                        "dashboard.enabled=true,dashboard.service=true,dashboard.from[0].podSelector.matchLabels.app=login"),
                                "NetworkPolicy",
                                "spec"))
                .contains("{\"podSelector\":{\"matchLabels\":{\"app\":\"login\"}}}")
                .contains("http-dashboard");
    }

    @ParameterizedTest
    @ValueSource(strings = {"millwright", "capt", "addons"})
    void aPodReachesNamesServersAndWhatItsProxyNeeds(String chart) {
        var variables = chart.equals("millwright") ? "controller.env" : "env";
        var values =
                "%1$s[0].name=HTTPS_PROXY,%1$s[0].value=http://proxy.example.com:3128/,%1$s[1].name=http_proxy,%1$s[1].value=http://plain.example.com"
                        .formatted(variables);

        assertThat(only(rendered(chart, "replicas=1"), "NetworkPolicy", "spec", "egress"))
                .contains("{\"port\":53,\"protocol\":\"UDP\"}")
                .contains(
                        "{\"port\":443,\"protocol\":\"TCP\"},{\"port\":6443,\"protocol\":\"TCP\"}]")
                .doesNotContain("3128");
        assertThat(only(rendered(chart, values), "NetworkPolicy", "spec", "egress"))
                .contains(
                        "{\"port\":6443,\"protocol\":\"TCP\"},{\"port\":3128,\"protocol\":\"TCP\"},{\"port\":80,\"protocol\":\"TCP\"}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"millwright", "capt", "addons"})
    void nobodyHasToHaveANetworkPolicy(String chart) {
        assertThat(rendered(chart, "networkPolicy.enabled=false").text())
                .doesNotContain("kind: NetworkPolicy");
    }

    // ---- the page

    @Test
    void thePageListensOnLoopbackAndHasNoPortOfTheServiceUnlessAsked() {
        var none = rendered("millwright", "replicas=2");
        var forwarded = rendered("millwright", "dashboard.enabled=true");
        var served = rendered("millwright", "dashboard.enabled=true,dashboard.service=true");

        assertThat(none.text()).doesNotContain("DASHBOARD", "http-dashboard");
        assertThat(Rendered.environment(forwarded.pod()))
                .containsEntry("MILLWRIGHT_DASHBOARD_PORT", "8642")
                .doesNotContainKey("MILLWRIGHT_DASHBOARD_ADDRESS");
        assertThat(only(forwarded, "Service", "spec", "ports")).doesNotContain("8642");
        assertThat(Rendered.environment(served.pod()))
                .containsEntry("MILLWRIGHT_DASHBOARD_ADDRESS", "0.0.0.0");
        assertThat(only(served, "Service", "spec", "ports")).contains("8642");
    }

    // ---- disruption, priority, size

    @ParameterizedTest
    @ValueSource(strings = {"millwright", "capt", "addons"})
    void onePodAtATimeMayBeMissingAndTheClusterNeedsThem(String chart) {
        var rendered = rendered(chart, "replicas=2");

        assertThat(only(rendered, "PodDisruptionBudget", "spec", "maxUnavailable")).isEqualTo("1");
        assertThat(only(rendered, "PodDisruptionBudget", "spec", "selector", "matchLabels"))
                .isEqualTo(only(rendered, "Deployment", "spec", "selector", "matchLabels"));
        assertThat(only(rendered, "Deployment", "spec", "template", "spec", "priorityClassName"))
                .isEqualTo("\"system-cluster-critical\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"capt", "addons"})
    void budgetAndPriorityCanBeLeftOut(String chart) {
        var rendered =
                rendered(
                        chart,
                        "podDisruptionBudget.enabled=false,networkPolicy.enabled=false,priorityClassName=");

        assertThat(rendered.objects())
                .noneMatch(each -> POLICIES.contains(String.valueOf(each.text("kind"))));
        assertThat(rendered.text()).doesNotContain("priorityClassName");
    }

    @Test
    void theOperatorAsksForResourcesUnlessTheReaderSaysWhich() {
        assertThat(resources(CLUSTER))
                .isEqualTo(
                        "{\"requests\":{\"cpu\":\"250m\",\"memory\":\"512Mi\"},\"limits\":{\"memory\":\"1Gi\"}}");
        assertThat(resources("controller.resources.requests.memory=2Gi"))
                .isEqualTo("{\"requests\":{\"memory\":\"2Gi\"}}");
    }

    private static String resources(String values) {
        var rendered = rendered("millwright", values);
        return rendered.json(Rendered.container(rendered.pod()), "resources");
    }
}
