package dev.millwright.addons.helm;

import dev.millwright.addons.port.ValuesSecrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.InlineKubeconfig;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.RawObject;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Keys of Secrets of the management cluster, read when they are needed and kept nowhere.
public final class ManagementSecrets implements ValuesSecrets {

    /// A key's bytes, or why there are none. Never printed.
    sealed interface Content {

        @SuppressWarnings("ArrayRecordComponent") // Handed on at once, never compared.
        record Found(byte[] bytes, String version) implements Content {
            @Override
            public String toString() {
                return "Found";
            }
        }

        record Absent(String message) implements Content {}
    }

    private final KubeApi api;

    public ManagementSecrets(KubeApi api) {
        this.api = api;
    }

    @Override
    public Answer read(ObjectName secret, String key) {
        return switch (content(secret, key)) {
            case Content.Found(var bytes, _) ->
                    new Answer.Found(new String(bytes, StandardCharsets.UTF_8));
            case Content.Absent(var message) -> new Answer.Absent(message);
        };
    }

    Content content(ObjectName name, String key) {
        var answer = api.read(ResourceType.SECRET, name);
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return new Content.Absent(
                    answer.isNotFound()
                            ? "Secret %s is not there".formatted(name)
                            : "Secret %s cannot be read: %s".formatted(name, answer.explain()));
        }
        var secret = RawObject.of(object);
        var text = secret.root().at("data").at(key).text();
        if (text == null) {
            return new Content.Absent("Secret %s has no key %s".formatted(name, key));
        }
        try {
            return new Content.Found(
                    Base64.getMimeDecoder().decode(text), secret.meta().resourceVersion());
        } catch (IllegalArgumentException notBase64) {
            return new Content.Absent("Secret %s: key %s is not base64".formatted(name, key));
        }
    }

    /// Where the contract of Cluster API has a cluster's kubeconfig. Whoever writes that Secret is
    /// not trusted: all who connect get the same reduced file.
    Content kubeconfig(ObjectName cluster) {
        var name = new ObjectName(cluster.namespace(), cluster.name() + "-kubeconfig");
        return switch (content(name, "value")) {
            case Content.Absent absent -> absent;
            case Content.Found(var bytes, var version) ->
                    switch (InlineKubeconfig.of(bytes)) {
                        case InlineKubeconfig.Answer.Reduced(var reduced) ->
                                new Content.Found(reduced, version);
                        case InlineKubeconfig.Answer.Refused(var why) ->
                                new Content.Absent(
                                        "the kubeconfig in Secret %s is refused: %s"
                                                .formatted(name, why));
                    };
        };
    }
}
