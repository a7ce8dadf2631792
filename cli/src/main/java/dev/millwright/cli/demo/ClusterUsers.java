package dev.millwright.cli.demo;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.world.kind.Kinds;
import dev.millwright.world.store.ApiStore;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Those who write to the demo's cluster with kubectl, so to speak: its script and its visitors.
final class ClusterUsers {

    private static final String BY = "user";

    private static final List<ResourceType> TYPES =
            List.of(
                    ResourceType.NAMESPACE,
                    ResourceType.NODE_POOL,
                    ResourceType.DAEMON_SET,
                    ResourceType.DEPLOYMENT,
                    ResourceType.POD_DISRUPTION_BUDGET,
                    Kinds.JOB,
                    KwokNodeClass.TYPE);

    private final ApiStore store;
    private final Stage stage;

    /// What the pools allowed before they were frozen.
    private final Map<ObjectName, Value> budgets = new LinkedHashMap<>();

    private int added;

    ClusterUsers(ApiStore store, Stage stage) {
        this.store = store;
        this.stage = stage;
    }

    /// The demo's own objects: one that is refused is a mistake of ours.
    void createAll(List<Value.Mapping> objects) {
        for (var object : objects) {
            var answer = create(object);
            if (!answer.isDone()) {
                throw new IllegalStateException(
                        "%s of the demo is refused: %s"
                                .formatted(object.text("kind"), answer.explain()));
            }
        }
    }

    private ApiAnswer create(Value.Mapping object) {
        var kind = object.text("kind");
        var type =
                TYPES.stream()
                        .filter(each -> each.kind().equals(kind))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no type for " + kind));
        var namespace =
                object.fields().get("metadata") instanceof Value.Mapping metadata
                        ? metadata.text("namespace")
                        : null;
        return store.write(
                BY, new ApiWrite.Create(type, namespace == null ? "" : namespace, object));
    }

    private ApiAnswer change(ResourceType type, ObjectName name, Tree patch) {
        return store.write(
                BY,
                new ApiWrite.Patch(
                        type,
                        name,
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        patch.mapping()));
    }

    Outcome addPods(int count, int cpuMillis, int mebibytes) {
        var name = "yours-%d".formatted(++added);
        var answer = create(Manifests.deployment(name, count, cpuMillis, mebibytes));
        return outcome(answer, "You added %d pods: Deployment %s.".formatted(count, name));
    }

    Outcome scale(String deployment, int replicas) {
        var patch = Tree.of("spec", Tree.of().put("replicas", replicas));
        var name = new ObjectName(Script.NAMESPACE, deployment);
        return outcome(
                change(ResourceType.DEPLOYMENT, name, patch),
                "You scaled %s to %d pods.".formatted(deployment, replicas));
    }

    void roll(String deployment, String version) {
        var metadata = Tree.of("annotations", Tree.of("shop.example.com/version", version));
        var template = Tree.of("template", Tree.of("metadata", metadata));
        var name = new ObjectName(Script.NAMESPACE, deployment);
        change(ResourceType.DEPLOYMENT, name, Tree.of("spec", template));
    }

    /// As `millwright freeze` does: no pool allows a node to go by choice.
    Outcome freeze(boolean wanted) {
        if (wanted == isFrozen()) {
            return new Outcome.Done(wanted ? "It is frozen already." : "Nothing is frozen.");
        }
        if (wanted) {
            for (var pool : List.copyOf(stage.pools().keySet())) {
                var object = store.find(ResourceType.NODE_POOL, pool);
                budgets.put(pool, object == null ? Tree.list(List.of()) : budgetsOf(object));
                setBudgets(pool, Tree.list(List.of(Tree.of("nodes", "0").mapping())));
            }
            return new Outcome.Done("You froze the fleet: no node goes by choice.");
        }
        budgets.forEach(this::setBudgets);
        budgets.clear();
        return new Outcome.Done("You let nodes go again.");
    }

    private static Value budgetsOf(Value.Mapping pool) {
        return pool.fields().get("spec") instanceof Value.Mapping spec
                        && spec.fields().get("disruption") instanceof Value.Mapping disruption
                        && disruption.fields().get("budgets") instanceof Value.Sequence found
                ? found
                : Tree.list(List.of());
    }

    private void setBudgets(ObjectName pool, Value wanted) {
        var patch = Tree.of("spec", Tree.of("disruption", Tree.of().put("budgets", wanted)));
        change(ResourceType.NODE_POOL, pool, patch);
    }

    boolean isFrozen() {
        return !budgets.isEmpty();
    }

    private static Outcome outcome(ApiAnswer answer, String message) {
        return answer.isDone()
                ? new Outcome.Done(message)
                : new Outcome.Refused("The API server refused: " + answer.explain());
    }
}
