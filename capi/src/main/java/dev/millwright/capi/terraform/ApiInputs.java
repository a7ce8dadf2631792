package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.port.Secrets;
import dev.millwright.capi.workspace.Inputs;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// Inputs of a real API server and of the manager's own machine.
public final class ApiInputs implements Inputs {

    private static final String FLUX = "source.toolkit.fluxcd.io";

    /// Newest first; a cluster serves one or two of them.
    private static final List<String> FLUX_VERSIONS = List.of("v1", "v1beta2");

    private static final int FILE_BYTES_MAX = 1 << 20;

    private static final Answer NOT_LENT =
            new Answer.Missing(
                    "the manager lends neither its variables nor its files; use source Secret, or start it with --lend-manager-credentials");

    private final KubeApi api;
    private final Secrets secrets;
    private final @Nullable Map<String, String> lent;

    /// @param lent the manager's environment, where its variables and files may be lent to
    ///   ProviderConfigs; null where they may not
    public ApiInputs(KubeApi api, Secrets secrets, @Nullable Map<String, String> lent) {
        this.api = api;
        this.secrets = secrets;
        this.lent = lent == null ? null : Map.copyOf(lent);
    }

    @Override
    public Answer read(Source source) {
        return switch (source) {
            case Source.ConfigMapKey(var name, var key) -> configMap(name, key);
            case Source.SecretKey(var name, var key) -> secret(name, key);
            case Source.Environment(var variable) ->
                    lent == null ? NOT_LENT : variable(lent.get(variable));
            case Source.File(var path) -> lent == null ? NOT_LENT : file(path);
            case Source.FluxArtifact(var kind, var name) -> artifact(kind, name);
        };
    }

    private static Answer variable(@Nullable String value) {
        return value == null
                ? new Answer.Missing("it is not set in the manager")
                : new Answer.Found(value.getBytes(UTF_8));
    }

    private Answer configMap(ObjectName name, String key) {
        var answer = api.read(ResourceType.CONFIG_MAP, name);
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return new Answer.Missing(answer.isNotFound() ? "no such object" : answer.explain());
        }
        var root = RawObject.of(object).root();
        var text = root.at("data").at(key).text();
        if (text != null) {
            return new Answer.Found(text.getBytes(UTF_8));
        }
        var binary = root.at("binaryData").at(key).text();
        return binary == null
                ? new Answer.Missing("no such key")
                : new Answer.Found(Base64.getMimeDecoder().decode(binary));
    }

    private Answer secret(ObjectName name, String key) {
        return switch (secrets.read(name)) {
            case Secrets.Answer.Missing() -> new Answer.Missing("no such object");
            case Secrets.Answer.Failed(var message) -> new Answer.Missing(message);
            case Secrets.Answer.Found found -> {
                var bytes = found.data().get(key);
                yield bytes == null ? new Answer.Missing("no such key") : new Answer.Found(bytes);
            }
        };
    }

    private static Answer file(String path) {
        try (var stream = Files.newInputStream(Path.of(path))) {
            return new Answer.Found(stream.readNBytes(FILE_BYTES_MAX));
        } catch (IOException unreadable) {
            return new Answer.Missing("it cannot be read by the manager");
        }
    }

    private Answer artifact(String kind, ObjectName name) {
        if (!kind.equals("GitRepository") && !kind.equals("OCIRepository")) {
            return new Answer.Missing("wanted GitRepository::namespace/name or OCIRepository::…");
        }
        var plural = kind.equals("GitRepository") ? "gitrepositories" : "ocirepositories";
        var why = "no such object";
        for (var version : FLUX_VERSIONS) {
            var answer = api.read(new ResourceType(FLUX, version, plural, kind, true), name);
            if (answer instanceof ApiAnswer.Done(var object)) {
                var url = RawObject.of(object).status().at("artifact").at("url").text("");
                return url.isEmpty()
                        ? new Answer.Missing("Flux has not fetched it yet")
                        : new Answer.Found(url.getBytes(UTF_8));
            }
            if (!answer.isNotFound()) {
                why = answer.explain();
            }
        }
        return new Answer.Missing(why);
    }
}
