package dev.millwright.testing.e2e.terraform;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A WorkspaceTemplate of `deploy/capt/templates`, filled in as an apply fills it in and laid out
/// as a workspace's folder. The provider is configured by the environment.
final class CaptTemplate {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");

    private final Field forProvider;
    private final Map<String, String> variables;
    private final String place;

    /// @param place a folder's name, such that two of one template may live side by side
    CaptTemplate(String name, String place, Map<String, String> variables) {
        this.variables = new TreeMap<>(variables);
        this.place = "capt-" + place;
        try {
            var file = Terraform.ROOT.resolve("deploy/capt/templates/%s.yaml".formatted(name));
            var documents = DocumentReader.readAll(Source.text(name, Files.readString(file)));
            var template = RawObject.of((Value.Mapping) documents.getFirst());
            forProvider = template.spec().at("template").at("spec").at("forProvider");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The module's name, for [Terraform#run].
    String writeInto(Terraform terraform) {
        try {
            var folder = Files.createDirectories(terraform.module(place));
            Files.writeString(folder.resolve("main.tf"), filled(forProvider.at("module").text("")));
            Files.writeString(folder.resolve("provider.tf"), "provider \"aws\" {}\n");
            terraform.init(place);
            return place;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Its variables, each on the command line. What a person may change is changed here likewise.
    String[] options() {
        return forProvider.at("vars").elements().stream()
                .map(
                        each -> {
                            var key = each.at("key").text("");
                            var value = filled(each.at("value").text(""));
                            return "-var=%s=%s"
                                    .formatted(key, variables.getOrDefault("vars." + key, value));
                        })
                .toArray(String[]::new);
    }

    private String filled(String text) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        variables.getOrDefault(found.group(1), found.group())));
    }

    /// The names of all placeholders that an apply may fill.
    List<String> placeholders() {
        return forProvider.at("vars").elements().stream()
                .map(each -> each.at("value").text(""))
                .filter(value -> PLACEHOLDER.matcher(value).matches())
                .map(value -> value.substring(2, value.length() - 1))
                .toList();
    }
}
