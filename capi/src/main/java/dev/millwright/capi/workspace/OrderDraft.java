package dev.millwright.capi.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.object.Reference;
import dev.millwright.capi.object.WorkspaceOrigin;
import dev.millwright.capi.object.WorkspaceReferences;
import dev.millwright.capi.workspace.Inputs.Source;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.grant.ReferencePolicy.To;
import dev.millwright.kube.object.RawObject;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/// An order that lacks only what its Workspace and config refer to.
///
/// Later variables win, as Terraform has it: vars, then varFiles, then the varmap, then arguments.
final class OrderDraft {

    private final WorkspaceKinds kinds;
    private final RawObject workspace;
    private final RawObject config;
    private final List<Need> needs = new ArrayList<>();
    private final TreeMap<String, byte[]> files = new TreeMap<>();
    private final LinkedHashMap<String, String> environment = new LinkedHashMap<>();
    private final List<String> variables = new ArrayList<>();
    private RunOrder.Module module = new RunOrder.Module.Inline();

    /// One value that must be read, and where it goes.
    ///
    /// @param what names the field for a message
    record Need(String what, Source source, Place place) {}

    sealed interface Place {
        record InFile(String name) implements Place {}

        record InEnvironment(String name) implements Place {}

        record AsAddress() implements Place {}
    }

    sealed interface Finished {
        record Ready(RunOrder order) implements Finished {}

        record Lacking(String why) implements Finished {}
    }

    OrderDraft(WorkspaceKinds kinds, RawObject workspace, RawObject config) {
        this.kinds = kinds;
        this.workspace = workspace;
        this.config = config;
        var spec = workspace.spec().at("forProvider");
        module(spec);
        credentials();
        variables(spec);
        environment(spec);
    }

    /// What Terraform calls the workspace.
    static String externalName(RawObject workspace) {
        var named = workspace.meta().annotation(WorkspaceMarks.EXTERNAL_NAME);
        return named == null || named.isEmpty() ? workspace.name().name() : named;
    }

    List<Need> needs() {
        return List.copyOf(needs);
    }

    private void module(Field spec) {
        var text = spec.at("module").text("");
        switch (spec.at("source").text("")) {
            case "Inline" -> {
                var name =
                        spec.at("inlineFormat").text("HCL").equals("JSON")
                                ? "main.tf.json"
                                : "main.tf";
                files.put(name, text.getBytes(UTF_8));
            }
            case "Flux" -> {
                var kind = text.substring(0, Math.max(0, text.indexOf("::")));
                var name = text.substring(text.indexOf("::") < 0 ? 0 : text.indexOf("::") + 2);
                var slash = name.indexOf('/');
                needs.add(
                        new Need(
                                "module",
                                new Source.FluxArtifact(
                                        kind,
                                        new ObjectName(
                                                name.substring(0, Math.max(0, slash)),
                                                name.substring(slash + 1))),
                                new Place.AsAddress()));
            }
            default -> module = new RunOrder.Module.Address(text);
        }
        var configuration = config.spec().at("configuration").text("");
        if (!configuration.isEmpty()) {
            files.put(RunOrder.CONFIG_FILE, configuration.getBytes(UTF_8));
        }
    }

    private void credentials() {
        for (var each : config.spec().at("credentials").elements()) {
            var filename = each.at("filename").text("");
            var base = filename.substring(filename.lastIndexOf('/') + 1);
            var place = new Place.InFile(base);
            var what = "credentials \"%s\" of %s".formatted(base, config.name().name());
            switch (each.at("source").text("")) {
                case "Secret" -> needs.add(new Need(what, credential(each.at("secretRef")), place));
                case "Environment" ->
                        needs.add(
                                new Need(
                                        what,
                                        new Source.Environment(each.at("env").at("name").text("")),
                                        place));
                case "Filesystem" ->
                        needs.add(
                                new Need(
                                        what,
                                        new Source.File(each.at("fs").at("path").text("")),
                                        place));
                default -> {
                    // None: the provider finds its credentials by itself.
                }
            }
        }
    }

    private void variables(Field spec) {
        for (var each : spec.at("vars").elements()) {
            variables.add(
                    "-var=%s=%s".formatted(each.at("key").text(""), each.at("value").text("")));
        }
        var count = 0;
        for (var each : spec.at("varFiles").elements()) {
            var isJson = each.at("format").text("HCL").equals("JSON");
            var name = "varfile-%d.tfvars%s".formatted(count, isJson ? ".json" : "");
            var source =
                    each.at("source").text("").equals("SecretKey")
                            ? secretKey(each.at("secretKeyRef"))
                            : configMapKey(each.at("configMapKeyRef"));
            needs.add(new Need("varFiles[%d]".formatted(count), source, new Place.InFile(name)));
            variables.add("-var-file=" + name);
            count++;
        }
        var varmap = spec.at("varmap").value();
        if (varmap != null) {
            files.put("varmap.tfvars.json", JsonWriter.bytes(varmap));
            variables.add("-var-file=varmap.tfvars.json");
        }
    }

    private void environment(Field spec) {
        for (var each : spec.at("env").elements()) {
            var name = each.at("name").text("");
            var value = each.at("value").text("");
            if (!value.isEmpty()) {
                environment.put(name, value);
            } else if (each.at("secretKeyRef").isPresent()) {
                needs.add(
                        new Need(
                                "env " + name,
                                secretKey(each.at("secretKeyRef")),
                                new Place.InEnvironment(name)));
            } else if (each.at("configMapKeyRef").isPresent()) {
                needs.add(
                        new Need(
                                "env " + name,
                                configMapKey(each.at("configMapKeyRef")),
                                new Place.InEnvironment(name)));
            } else {
                environment.put(name, "");
            }
        }
    }

    /// What the config refers to; that the config may is for the caller to ask.
    List<To> credentials(String own) {
        var all = new ArrayList<To>();
        for (var each : config.spec().at("credentials").elements()) {
            var reference = Reference.of(each.at("secretRef"));
            if (reference != null && each.at("source").text("").equals("Secret")) {
                all.add(
                        WorkspaceReferences.secret(
                                "spec.credentials.secretRef", reference.in(own)));
            }
        }
        return all;
    }

    private Source credential(Field reference) {
        return new Source.SecretKey(
                new ObjectName(
                        reference.at("namespace").text(config.name().namespace()),
                        reference.at("name").text("")),
                reference.at("key").text(""));
    }

    private Source secretKey(Field reference) {
        return new Source.SecretKey(name(reference), reference.at("key").text(""));
    }

    private Source configMapKey(Field reference) {
        return new Source.ConfigMapKey(name(reference), reference.at("key").text(""));
    }

    /// A Workspace that has a namespace refers to nothing elsewhere, whatever was written.
    private ObjectName name(Field reference) {
        var own = workspace.name().namespace();
        return new ObjectName(
                own.isEmpty() ? reference.at("namespace").text("") : own,
                reference.at("name").text(""));
    }

    /// With the answers in the order of [#needs].
    Finished finish(List<Inputs.Answer> answers, RunOrder.Aim aim) {
        var secrets = new ArrayList<String>();
        for (var index = 0; index < needs.size(); index++) {
            var need = needs.get(index);
            switch (answers.get(index)) {
                case Inputs.Answer.Missing(var why) -> {
                    return new Finished.Lacking(
                            "%s: %s: %s".formatted(need.what(), need.source().describe(), why));
                }
                case Inputs.Answer.Found(var bytes) -> {
                    place(need.place(), bytes);
                    if (need.source().isSecret()) {
                        secrets.add(new String(bytes, UTF_8));
                    }
                }
            }
        }
        return new Finished.Ready(order(aim, secrets));
    }

    private void place(Place place, byte[] bytes) {
        switch (place) {
            case Place.InFile(var name) -> files.put(name, bytes);
            case Place.InEnvironment(var name) -> environment.put(name, new String(bytes, UTF_8));
            case Place.AsAddress() ->
                    module = new RunOrder.Module.Address(new String(bytes, UTF_8));
        }
    }

    private RunOrder order(RunOrder.Aim aim, List<String> secrets) {
        var spec = workspace.spec().at("forProvider");
        return new RunOrder(
                new RunOrder.Target(
                        workspace.meta().uid(),
                        kinds.controller(),
                        workspace.name(),
                        WorkspaceOrigin.of(workspace),
                        externalName(workspace),
                        workspace.meta().generation()),
                aim,
                module,
                files,
                new RunOrder.Arguments(
                        variables,
                        spec.at("initArgs").textList(),
                        spec.at("planArgs").textList(),
                        spec.at("applyArgs").textList(),
                        spec.at("destroyArgs").textList()),
                environment,
                options(spec),
                secrets);
    }

    private RunOrder.Options options(Field spec) {
        var pluginCache = config.spec().at("pluginCache");
        return new RunOrder.Options(
                entrypoint(spec.at("entrypoint").text("")),
                config.spec().at("backendFile").text(""),
                config.name().namespace().isEmpty(),
                !pluginCache.isPresent() || pluginCache.isTrue(),
                spec.at("enableTerraformCLILogging").isTrue(),
                workspace.status().at("atProvider").at("checksum").text(""));
    }

    /// Within the module, whatever was written.
    static String entrypoint(String written) {
        var parts = new ArrayList<String>();
        for (var part : written.split("/", -1)) {
            if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
                parts.add(part);
            }
        }
        return String.join("/", parts);
    }
}
