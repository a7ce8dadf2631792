package dev.millwright.providers.sim.kwok;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;

import java.util.ArrayList;

/// Node objects from the API server, asked each time.
final class ApiNodes implements NodeLookup {

    private static final int PAGE_SIZE = 500;

    /// Times a list begins anew because its pages grew too old.
    private static final int RESTARTS_MAX = 3;

    private final KubeApi api;
    private final ObjectReader reader = new ObjectReader(LabelVocabulary.CORE);

    ApiNodes(KubeApi api) {
        this.api = api;
    }

    @Override
    public Found find(String name) {
        var answer = api.read(ResourceType.NODE, new ObjectName("", name));
        if (answer instanceof ApiAnswer.Done(var object)) {
            return new Found.There(reader.node(object));
        }
        return answer.isNotFound()
                ? new Found.Missing()
                : new Found.Failed(
                        "Node %s could not be read: %s".formatted(name, answer.explain()));
    }

    @Override
    public Listed all() {
        var nodes = new ArrayList<NodeObject>();
        var query = KubeApi.ListQuery.all(PAGE_SIZE);
        var restarts = 0;
        while (true) {
            switch (api.list(ResourceType.NODE, query)) {
                case KubeApi.ListAnswer.Page(var items, _, var token) -> {
                    items.forEach(item -> nodes.add(reader.node(item)));
                    if (token.isEmpty()) {
                        return new Listed.Nodes(nodes);
                    }
                    query = query.next(token);
                }
                case KubeApi.ListAnswer.Expired(var message) -> {
                    if (restarts == RESTARTS_MAX) {
                        return failed(message);
                    }
                    restarts++;
                    nodes.clear();
                    query = KubeApi.ListQuery.all(PAGE_SIZE);
                }
                case KubeApi.ListAnswer.NotServed() -> {
                    return failed("nobody serves them");
                }
                case KubeApi.ListAnswer.Failed(var message) -> {
                    return failed(message);
                }
            }
        }
    }

    private static Listed failed(String why) {
        return new Listed.Failed("Nodes could not be listed: " + why);
    }

    @Override
    public void learn(Value.Mapping node) {}
}
