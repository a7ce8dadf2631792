package dev.millwright.addons.release;

import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.LinkedHashMap;

/// What a proxy wants deployed.
///
/// @param chartVersion exact
/// @param values as they were rendered
/// @param digest of the version, the values and the options
record Wanted(String chartVersion, String values, String digest) {

    static Wanted of(ReleaseProxy proxy, String chartVersion, String values) {
        return new Wanted(
                chartVersion, values, Canonical.digest(chartVersion, json(values), options(proxy)));
    }

    /// As the user wrote them, so that a new release of ours with new defaults upgrades nothing.
    /// Those for uninstalling change nothing about a release that stands.
    private static String options(ReleaseProxy proxy) {
        if (!(proxy.object().spec().at("options").value() instanceof Value.Mapping options)) {
            return "";
        }
        var fields = new LinkedHashMap<>(options.fields());
        fields.remove("uninstall");
        return Canonical.json(new Value.Mapping(options.position(), fields));
    }

    /// Text that is no YAML stands for itself; Helm will say what is wrong with it.
    private static String json(String values) {
        try {
            var documents = DocumentReader.readAll(Source.text("values", values));
            return Canonical.json(documents.isEmpty() ? Tree.of().mapping() : documents.getFirst());
        } catch (DocumentException notYaml) {
            return values;
        }
    }

    /// Whether a revision holds what is wanted. Where old values are kept, the new ones have only
    /// to be among them.
    boolean isHeldBy(Contents contents, boolean keepsOldValues) {
        if (!plain(contents.chartVersion()).equals(plain(chartVersion))) {
            return false;
        }
        var wanted = json(values);
        return wanted.equals(contents.values())
                || (keepsOldValues && covers(tree(contents.values()), tree(wanted)));
    }

    /// A registry's tag may have a `v` that the chart has not.
    private static String plain(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    private static Field tree(String json) {
        try {
            var documents = DocumentReader.readAll(Source.text("values", json));
            return Field.root("values", documents.getFirst(), new Faults());
        } catch (DocumentException notYaml) {
            return Field.root("values", Tree.text(json), new Faults());
        }
    }

    private static boolean covers(Field held, Field wanted) {
        if (!(wanted.value() instanceof Value.Mapping)
                || !(held.value() instanceof Value.Mapping)) {
            return wanted.value() == null
                    || (held.value() != null
                            && Canonical.json(held.value()).equals(Canonical.json(wanted.value())));
        }
        return wanted.entries().entrySet().stream()
                .allMatch(entry -> covers(held.at(entry.getKey()), entry.getValue()));
    }

    @Override
    public String toString() {
        return "Wanted version " + chartVersion; // Values may be secret.
    }
}
