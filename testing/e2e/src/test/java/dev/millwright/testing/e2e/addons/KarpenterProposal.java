package dev.millwright.testing.e2e.addons;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.Tools;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The facts that the proposal to install Karpenter by HelmChartProxies fixes.
final class KarpenterProposal {

    static final List<String> PROXIES = List.of("karpenter", "karpenter-aws-default-nodepool");

    private static final String FACTS =
            "testing/e2e/src/test/resources/addons/karpenter-by-proxies.yaml";

    private KarpenterProposal() {}

    private static Field document(String file) {
        var source = Source.file(Tools.ROOT.resolve(file));
        return Field.root(file, DocumentReader.readAll(source).getFirst(), new Faults());
    }

    private static Field facts(String proxy) {
        return document(FACTS).at("proxies").at(proxy);
    }

    /// Fields and values that the proposal writes.
    static SequencedMap<String, String> fixed(String proxy) {
        return texts(facts(proxy).at("fixed"));
    }

    /// Fields that it leaves to us.
    static List<String> added(String proxy) {
        return facts(proxy).at("added").textList();
    }

    /// Paths of values, and the output that each comes from.
    static SequencedMap<String, String> values(String proxy) {
        return texts(facts(proxy).at("values"));
    }

    static String sample(String proxy) {
        return facts(proxy).at("sample").text("");
    }

    /// Arguments of its module for roles, and the words of ours that stand for them.
    static SequencedMap<String, String> roles() {
        return texts(document(FACTS).at("roles"));
    }

    /// A manifest as it is shipped, each of its fields by its path.
    static SequencedMap<String, String> shipped(String proxy) {
        var file = "deploy/capt/addons/%s.yaml".formatted(proxy);
        return flat(DocumentReader.readAll(Source.file(Tools.ROOT.resolve(file))).getFirst());
    }

    static String template(String proxy) {
        return document("deploy/capt/addons/%s.yaml".formatted(proxy))
                .at("spec")
                .at("valuesTemplate")
                .text("");
    }

    private static SequencedMap<String, String> texts(Field field) {
        var texts = new TreeMap<String, String>();
        field.entries().forEach((name, value) -> texts.put(name, value.text("")));
        return texts;
    }

    /// Every value that is no list and no mapping, by the way to it. Numbers and texts that look
    /// like them are told apart.
    static SequencedMap<String, String> flat(Value value) {
        var all = new TreeMap<String, String>();
        collect("", value, all);
        return all;
    }

    private static void collect(String path, Value value, SequencedMap<String, String> all) {
        switch (value) {
            case Value.Mapping(_, var fields) ->
                    fields.forEach((name, field) -> collect(below(path, name), field, all));
            case Value.Sequence(_, var elements) -> {
                for (var index = 0; index < elements.size(); index++) {
                    collect(below(path, Integer.toString(index)), elements.get(index), all);
                }
            }
            case Value.Text(_, var text) -> all.put(path, text);
            case Value.Numeral numeral -> all.put(path, numeral.describe());
            case Value.Flag flag -> all.put(path, flag.describe());
            case Value.Nothing nothing -> all.put(path, nothing.describe());
        }
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
