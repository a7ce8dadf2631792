package dev.millwright.testing.e2e.rights;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A chart whose process has an account with roles.
public enum Chart {
    OPERATOR("millwright", "kube-system", List.of("settings.clusterName=it")),
    CAPT("capt", "capt-system", List.of("crds.enabled=false", "userRoles=false")),
    ADDONS("addons", "caaph-system", List.of("crds.enabled=false"));

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final String folder;
    private final String namespace;
    private final List<String> values;

    Chart(String folder, String namespace, List<String> values) {
        this.folder = folder;
        this.namespace = namespace;
        this.values = values;
    }

    /// The folder's name.
    public String title() {
        return folder;
    }

    /// Where its tests install it.
    public String namespace() {
        return namespace;
    }

    /// The chart's objects with these values.
    ///
    /// @param count of releases beside each other, from 1: names must differ
    String render(int count, List<String> more) {
        var all = new ArrayList<>(values);
        all.addAll(more);
        if (count > 1 && this != OPERATOR) {
            all.add("namePrefix=%s-%d-".formatted(this == CAPT ? "capt" : "caaph", count));
        }
        var release = this == OPERATOR ? "karpenter" : folder;
        var command =
                new ArrayList<>(
                        List.of(
                                Tools.path("helm").toString(),
                                "template",
                                count == 1 ? release : release + "-" + count,
                                Tools.chart(folder).toString(),
                                "--namespace=" + namespace));
        all.forEach(value -> command.add("--set=" + value));
        return Shell.run(command, "", LIMIT);
    }

    /// All objects of a text.
    static List<RawObject> objects(String text) {
        return DocumentReader.readAll(Source.text("rendered", text)).stream()
                .filter(Value.Mapping.class::isInstance)
                .map(each -> RawObject.of((Value.Mapping) each))
                .toList();
    }

    /// The name of the account that a chart's pods have.
    static String account(List<RawObject> objects) {
        return objects.stream()
                .filter(each -> kind(each).equals("ServiceAccount"))
                .map(each -> each.name().name())
                .findFirst()
                .orElseThrow();
    }

    static String kind(RawObject object) {
        return object.root().at("kind").text("");
    }
}
