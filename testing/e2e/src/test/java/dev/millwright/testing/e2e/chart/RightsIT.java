package dev.millwright.testing.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What the charts let their processes do.
final class RightsIT {

    private static final Helm HELM = Helm.alone();
    private static final Set<String> ROLES = Set.of("Role", "ClusterRole");

    /// Roles for people.
    private static final String PEOPLE = ".*(-admin|-editor-role|-viewer-role|-metrics-reader)";

    private static Set<String> rights(Path chart, String... values) {
        var arguments = new ArrayList<Object>();
        for (var value : values) {
            arguments.addAll(List.of("--set", value));
        }
        var rights = new TreeSet<String>();
        for (var object : HELM.template(chart, arguments.toArray()).objects()) {
            var name = String.valueOf(Rendered.text(object, "metadata", "name"));
            if (ROLES.contains(String.valueOf(object.text("kind"))) && !name.matches(PEOPLE)) {
                texts(object, "rules", rights);
            }
        }
        return rights;
    }

    private static void texts(Value.Mapping role, String field, Set<String> rights) {
        if (role.fields().get(field) instanceof Value.Sequence(_, var rules)) {
            for (var rule : rules) {
                if (rule instanceof Value.Mapping mapping) {
                    for (var resource : texts(mapping, "resources")) {
                        texts(mapping, "verbs").forEach(verb -> rights.add(verb + " " + resource));
                    }
                }
            }
        }
    }

    private static List<String> texts(Value.Mapping object, String field) {
        return object.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                        .map(each -> each instanceof Value.Text(_, var text) ? text : "")
                        .toList()
                : List.of();
    }

    /// No request of ours is an update: `ApiWrite` has none. The right on finalizers is never used,
    /// and asked for by the server of whoever makes an object an owner that blocks.
    @ParameterizedTest
    @CsvSource({
        "millwright, settings.clusterName=it",
        "millwright, settings.steerPods=true",
        "millwright, webhook.enabled=true",
        "millwright, makeBeforeBreak.enabled=true",
        "millwright, shadow.enabled=true",
        "capt, crds.enabled=false",
        "addons, crds.enabled=false"
    })
    void noChartLetsItsProcessUpdate(String chart, String value) {
        assertThat(rights(Tools.chart(chart), value, required(chart)))
                .isNotEmpty()
                .noneMatch(right -> right.startsWith("update ") && !right.endsWith("/finalizers"))
                .noneMatch(
                        right -> right.startsWith("* ") || right.startsWith("deletecollection "));
    }

    private static String required(String chart) {
        return chart.equals("millwright") ? "settings.clusterName=it" : "replicas=1";
    }

    @ParameterizedTest
    @CsvSource({"capt", "addons"})
    void noManagerListsSecretsOrHearsOfThem(String chart) {
        assertThat(rights(Tools.chart(chart)))
                .contains("get secrets")
                .doesNotContain("list secrets", "watch secrets");
    }

    @Test
    void theOperatorReadsNoEventAndNoSecretUnlessItServesTheWebhook() {
        var chart = Tools.chart("millwright");
        assertThat(rights(chart, "settings.clusterName=it"))
                .contains("create events", "patch events")
                .doesNotContain("get events", "list events", "watch events", "get secrets");
    }

    @Test
    void podsArePatchedWhereTheyAreSteeredAlone() {
        var chart = Tools.chart("millwright");
        assertThat(rights(chart, "settings.clusterName=it")).doesNotContain("patch pods");
        assertThat(rights(chart, "settings.clusterName=it", "settings.steerPods=true"))
                .contains("patch pods");
    }

    @ParameterizedTest
    @CsvSource({"capt, capt", "addons, caaph"})
    void whoLooksAfterOneNamespaceHasRolesThere(String chart, String prefix) {
        var all = HELM.template(Tools.chart(chart));
        var one = HELM.template(Tools.chart(chart), "--set", "namespace=team-a");

        assertThat(all.names()).contains("ClusterRole %s-manager-role".formatted(prefix));
        assertThat(one.names())
                .contains("Role %s-manager-role".formatted(prefix))
                .doesNotContain("ClusterRole %s-manager-role".formatted(prefix));
        assertThat(one.objects())
                .filteredOn(each -> "ClusterRole".equals(each.text("kind")))
                .noneMatch(RightsIT::namesSecrets);
        var binding = one.find("RoleBinding", prefix + "-manager-rolebinding");
        assertThat(Rendered.text(binding, "metadata", "namespace")).isEqualTo("team-a");
    }

    private static boolean namesSecrets(Value.Mapping role) {
        return String.valueOf(role.fields().get("rules")).contains("secrets");
    }
}
