package dev.millwright.providers.sim.kwok;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.NodeObject;

import java.util.List;

/// Where Node objects are looked up: in the caches, or at the API server where there are none.
public interface NodeLookup {

    Found find(String name);

    Listed all();

    /// A Node as a write of ours answered, which a cache may not have heard of.
    void learn(Value.Mapping node);

    sealed interface Found {

        record There(NodeObject node) implements Found {}

        record Missing() implements Found {}

        record Failed(String message) implements Found {}
    }

    sealed interface Listed {

        record Nodes(List<NodeObject> nodes) implements Listed {
            public Nodes {
                nodes = List.copyOf(nodes);
            }
        }

        record Failed(String message) implements Listed {}
    }

    static NodeLookup of(KubeApi api) {
        return new ApiNodes(api);
    }

    static NodeLookup of(View view) {
        return new NodeLookup() {
            @Override
            public Found find(String name) {
                var node = view.node(name);
                return node == null ? new Found.Missing() : new Found.There(node);
            }

            @Override
            public Listed all() {
                return new Listed.Nodes(List.copyOf(view.nodes()));
            }

            @Override
            public void learn(Value.Mapping node) {
                view.cache(Kind.NODE).put(node);
            }
        };
    }
}
