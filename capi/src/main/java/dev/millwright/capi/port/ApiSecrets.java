package dev.millwright.capi.port;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.RawObject;

import java.util.Base64;
import java.util.TreeMap;

/// Secrets of a real API server.
public final class ApiSecrets implements Secrets {

    private final KubeApi api;

    public ApiSecrets(KubeApi api) {
        this.api = api;
    }

    @Override
    public Answer read(ObjectName name) {
        var answer = api.read(ResourceType.SECRET, name);
        if (answer instanceof ApiAnswer.Done(var object)) {
            return found(RawObject.of(object));
        }
        return answer.isNotFound() ? new Answer.Missing() : new Answer.Failed(answer.explain());
    }

    private static Answer found(RawObject secret) {
        var data = new TreeMap<String, byte[]>();
        for (var entry : secret.root().at("data").entries().entrySet()) {
            data.put(entry.getKey(), Base64.getMimeDecoder().decode(entry.getValue().text("")));
        }
        return new Answer.Found(secret.meta(), secret.root().at("type").text(""), data);
    }
}
