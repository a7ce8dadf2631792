package dev.millwright.testing.e2e.world;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.store.Collector;
import dev.millwright.world.time.Agenda;
import dev.millwright.world.workload.ControlPlane;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// One of the two that are compared: a real control plane or a world.
interface Side {

    ApiAnswer write(ApiWrite write);

    List<Value.Mapping> list(ResourceType type, String namespace);

    /// Whoever plays the kubelets learns of a node.
    void joined(String node);

    record Real(HttpKubeApi api) implements Side {

        private static final int PAGE = 500;

        @Override
        public ApiAnswer write(ApiWrite write) {
            return api.write(write);
        }

        @Override
        public List<Value.Mapping> list(ResourceType type, String namespace) {
            var query = new KubeApi.ListQuery(namespace, "", "", PAGE, "");
            return api.list(type, query) instanceof KubeApi.ListAnswer.Page(var items, _, _)
                    ? items
                    : List.of();
        }

        @Override
        public void joined(String node) {
            // kwok watches.
        }
    }

    final class World implements Side {

        private static final Duration COLLECTED = Duration.ofMillis(100);

        private final Agenda agenda = new Agenda(Instant.parse("2026-01-01T00:00:00Z"));
        private final ApiStore store = new ApiStore(agenda, Chance.of(1));
        private final ControlPlane plane;

        World() {
            new Collector(store, agenda, () -> COLLECTED);
            plane = new ControlPlane(store, agenda, Chance.of(1), ControlPlane.Settings.usual());
        }

        void run(Duration length) {
            agenda.runUntil(agenda.instant().plus(length));
        }

        @Override
        public ApiAnswer write(ApiWrite write) {
            return store.write("user", write);
        }

        @Override
        public List<Value.Mapping> list(ResourceType type, String namespace) {
            return store.all(type).stream()
                    .filter(
                            object ->
                                    namespace.isEmpty()
                                            || namespace.equals(
                                                    Metadata.of(object).name().namespace()))
                    .toList();
        }

        @Override
        public void joined(String node) {
            plane.kubelets().play(node);
        }
    }
}
