package dev.millwright.kube.webhook;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.conversion.BetaDefinitions;
import dev.millwright.kube.conversion.OldKeys;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.webhook.ConversionUpkeep.Client;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/// The definitions as a webhook needs them: v1beta1 served beside v1, which is stored.
final class Definitions {

    private static final ResourceType DEFINITION =
            new ResourceType(
                    "apiextensions.k8s.io",
                    "v1",
                    "customresourcedefinitions",
                    "CustomResourceDefinition",
                    false);

    /// On a definition: what of ours it was made of.
    private static final String MADE_OF = "millwright.dev/conversion";

    private static final List<String> CONVERTED =
            List.of(
                    CustomResources.NODE_POOLS,
                    CustomResources.NODE_CLAIMS,
                    CustomResources.EC2_NODE_CLASSES);

    private static final int PAGE = 200;

    private final KubeApi api;
    private final CustomResources resources;
    private final Consumer<String> notes;

    Definitions(KubeApi api, CustomResources resources, Consumer<String> notes) {
        this.api = api;
        this.resources = resources;
        this.notes = notes;
    }

    /// Returns whether all definitions that are there name and trust this webhook.
    boolean kept(Client client, String bundle) {
        var isKept = true;
        for (var name : CONVERTED) {
            if (resources.names().contains(name)) {
                isKept &= kept(name, client, bundle);
            }
        }
        return isKept;
    }

    private boolean kept(String name, Client client, String bundle) {
        var key = new ObjectName("", name);
        if (!(api.read(DEFINITION, key) instanceof ApiAnswer.Done(var found))) {
            notes.accept(
                    "definition %s cannot be read; install it, and let the controller read and patch it"
                            .formatted(name));
            return false;
        }
        var versions =
                BetaDefinitions.versions(
                        read(resources.definition(name)),
                        read(CustomResources.aws().definition(CustomResources.EC2_NODE_CLASSES)));
        var group = name.substring(name.indexOf('.') + 1);
        var spec =
                Tree.of()
                        .putList("versions", versions)
                        .put("conversion", conversion(client, group, bundle));
        var mark = mark(spec.mapping());
        if (mark.equals(text(found, "metadata", "annotations", MADE_OF))
                && bundle.equals(
                        text(found, "spec", "conversion", "webhook", "clientConfig", "caBundle"))) {
            restore(found);
            return true;
        }
        var body =
                Tree.of("metadata", Tree.of("annotations", Tree.of(MADE_OF, mark)))
                        .put("spec", spec);
        var answer = api.write(patch(DEFINITION, key, Subresource.NONE, body.mapping()));
        notes.accept(
                answer.isDone()
                        ? "definition %s serves v1beta1 beside v1".formatted(name)
                        : "definition %s cannot be patched: %s".formatted(name, answer.explain()));
        return answer.isDone();
    }

    private static Value.Mapping read(String yaml) {
        if (DocumentReader.readAll(Source.text("definition", yaml)).getFirst()
                instanceof Value.Mapping definition) {
            return definition;
        }
        throw new IllegalStateException("a definition is a mapping");
    }

    private static Tree conversion(Client client, String group, String bundle) {
        var path = ConversionServer.PATH + group;
        var config =
                switch (client) {
                    case Client.Service(var name, var port) ->
                            Tree.of(
                                    "service",
                                    Tree.of("namespace", name.namespace())
                                            .put("name", name.name())
                                            .put("port", port)
                                            .put("path", path));
                    case Client.Address(var url) -> Tree.of("url", url + path);
                };
        return Tree.of("strategy", "Webhook")
                .put(
                        "webhook",
                        Tree.of("clientConfig", config.put("caBundle", bundle))
                                .putTextList("conversionReviewVersions", List.of("v1")));
    }

    private static String mark(Value.Mapping spec) {
        var sum = new CRC32C();
        sum.update(JsonWriter.text(spec).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /// Objects that are stored in the older version are written again; then nothing of it is
    /// stored. It is a look later than the change of the definition: by then API servers store v1.
    private void restore(Value.Mapping definition) {
        if (!(find(definition, "status", "storedVersions") instanceof Value.Sequence(_, var stored))
                || stored.stream().noneMatch(each -> isText(each, "v1beta1"))) {
            return;
        }
        var type =
                new ResourceType(
                        text(definition, "spec", "group"),
                        "v1",
                        text(definition, "spec", "names", "plural"),
                        text(definition, "spec", "names", "kind"),
                        false);
        if (!rewritten(type)) {
            return;
        }
        var key = new ObjectName("", text(definition, "metadata", "name"));
        var body = Tree.of("status", Tree.of().putTextList("storedVersions", List.of("v1")));
        var answer = api.write(patch(DEFINITION, key, Subresource.STATUS, body.mapping()));
        notes.accept(
                answer.isDone()
                        ? "all of %s is stored as v1".formatted(type)
                        : "the stored versions of %s cannot be written: %s"
                                .formatted(type, answer.explain()));
    }

    private boolean rewritten(ResourceType type) {
        var query = ListQuery.all(PAGE);
        while (true) {
            if (!(api.list(type, query) instanceof ListAnswer.Page(var items, _, var token))) {
                notes.accept("%s cannot be listed as v1".formatted(type));
                return false;
            }
            for (var item : items) {
                if (!rewritten(type, item)) {
                    return false;
                }
            }
            if (token.isEmpty()) {
                return true;
            }
            query = query.next(token);
        }
    }

    private boolean rewritten(ResourceType type, Value.Mapping object) {
        if (text(object, "metadata", "annotations", OldKeys.STORED_VERSION_MIGRATED)
                .equals("true")) {
            return true;
        }
        var annotation = Tree.of(OldKeys.STORED_VERSION_MIGRATED, "true");
        var body = Tree.of("metadata", Tree.of("annotations", annotation)).mapping();
        var key = new ObjectName("", text(object, "metadata", "name"));
        var answer = api.write(patch(type, key, Subresource.NONE, body));
        if (!answer.isDone() && !answer.isNotFound()) {
            notes.accept(
                    "%s %s cannot be written as v1: %s"
                            .formatted(type.kind(), key.name(), answer.explain()));
            return false;
        }
        return true;
    }

    private static ApiWrite patch(ResourceType type, ObjectName key, Subresource part, Value body) {
        return new ApiWrite.Patch(type, key, PatchKind.MERGE, part, body);
    }

    private static boolean isText(Value value, String wanted) {
        return value instanceof Value.Text(_, var text) && text.equals(wanted);
    }

    private static @Nullable Value find(Value.Mapping tree, String... path) {
        Value at = tree;
        for (var step : path) {
            at = at instanceof Value.Mapping(_, var fields) ? fields.get(step) : null;
        }
        return at;
    }

    private static String text(Value.Mapping tree, String... path) {
        return find(tree, path) instanceof Value.Text(_, var text) ? text : "";
    }
}
