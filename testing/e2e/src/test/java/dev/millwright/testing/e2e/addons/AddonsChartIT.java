package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The chart `addons`, and what clusterctl installs, which is made from it, before a real API
/// server.
@ExtendWith(ControlPlaneExtension.class)
final class AddonsChartIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String SYSTEM = "caaph-system";
    private static final Pattern DEFAULTED = Pattern.compile("(?<!\\$)\\$\\{\\w+:=([^}]*)}");

    @TempDir private static Path release;
    private static ControlPlane plane;

    @BeforeAll
    static void begin(ControlPlane shared) throws IOException {
        plane = shared;
        var fixture = "testing/e2e/src/test/resources/charts/monitoring.yaml";
        plane.apply(Files.readString(Tools.ROOT.resolve(fixture)));
        plane.established();
        for (var namespace : List.of(SYSTEM, "team-a")) {
            plane.apply(
                    "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(namespace));
        }
        build("--release", release.toString());
    }

    private static String build(String... options) {
        var command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "HELM=" + Tools.path("helm"),
                                "IMAGE=" + Tools.IMAGE,
                                "python3",
                                Tools.ROOT.resolve("deploy/addons/build.py").toString()));
        command.addAll(List.of(options));
        return Shell.run(command, "", LIMIT);
    }

    private static String render(String values) {
        return Shell.run(
                List.of(
                        Tools.path("helm").toString(),
                        "template",
                        "addons",
                        Tools.chart("addons").toString(),
                        "--namespace=" + SYSTEM,
                        "--set=" + values),
                "",
                LIMIT);
    }

    private static List<RawObject> objects(String text) {
        return DocumentReader.readAll(Source.text("rendered", text)).stream()
                .filter(Value.Mapping.class::isInstance)
                .map(each -> RawObject.of((Value.Mapping) each))
                .toList();
    }

    private static void takes(String text) {
        assertThat(plane.dryRun(text).lines().toList())
                .hasSize(objects(text).size())
                .allMatch(line -> line.contains("serverside-applied (server dry run)"));
    }

    private static String kind(RawObject object) {
        return object.root().at("kind").text("");
    }

    @Test
    void theChartsDefinitionsAreTheModules() {
        assertThat(build("--check")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicas=1",
                "namespace=team-a",
                "serviceMonitor.enabled=true,networkPolicy.enabled=false,metrics.certificateSecret=tls,"
                        + "helm.enabled=false,additionalLabels.a=b,additionalAnnotations.c=d,watchFilter=a"
            })
    void theServerTakesEveryObject(String values) {
        takes(render(values));
    }

    @Test
    void valuesThatNobodyReadsAreRefused() {
        assertThatThrownBy(() -> render("replica=2")).hasMessageContaining("replica");
        assertThatThrownBy(() -> render("syncPeriod=soon")).hasMessageContaining("syncPeriod");
        assertThatThrownBy(() -> render("helm.memoryMib=1")).hasMessageContaining("memoryMib");
    }

    @Test
    void clusterctlFindsWhatItsRulesWant() throws IOException {
        var text = Files.readString(release.resolve("addon-components.yaml"));
        var filled = DEFAULTED.matcher(text).replaceAll("$1");
        var objects = objects(filled);

        assertThat(filled).doesNotContain("${");
        assertThat(objects)
                .allMatch(
                        each -> each.meta().label("cluster.x-k8s.io/provider").equals("addon-helm"),
                        "has the provider's label");
        assertThat(objects.stream().filter(each -> kind(each).equals("Namespace"))).hasSize(1);
        assertThat(objects.stream().map(each -> each.name().namespace())).containsOnly("", SYSTEM);
        var manager =
                objects.stream()
                        .filter(each -> kind(each).equals("Deployment"))
                        .findFirst()
                        .orElseThrow();
        var container =
                manager.spec().at("template").at("spec").at("containers").elements().getFirst();
        assertThat(manager.name().name()).isEqualTo("caaph-controller-manager");
        assertThat(container.at("name").text("")).isEqualTo("manager");
        assertThat(container.at("args").textList()).contains("--namespace=", "--sync-period=10m");
        assertThat(Files.readString(release.resolve("addon-metadata.yaml")))
                .contains(
                        "{major: 0, minor: 4, contract: v1beta1}",
                        "{major: 0, minor: 5, contract: v1beta2}");
        takes(filled);
    }
}
