package dev.millwright.cli.demo;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Meta;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.world.kind.Kinds;
import dev.millwright.world.store.ApiStore;

import java.util.List;

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

    private static final ObjectName FREEZE_NAMESPACE =
            new ObjectName("", ControlKeys.FREEZE_NAMESPACE);

    private final ApiStore store;

    private int added;

    ClusterUsers(ApiStore store) {
        this.store = store;
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

    /// As `millwright freeze` does: no node goes by choice.
    Outcome freeze(boolean wanted) {
        if (wanted == isFrozen()) {
            return new Outcome.Done(wanted ? "It is frozen already." : "Nothing is frozen.");
        }
        var annotations =
                wanted
                        ? Tree.of(ControlKeys.FREEZE, "a visitor of the demo")
                        : Tree.of().putNothing(ControlKeys.FREEZE);
        return outcome(
                change(
                        ResourceType.NAMESPACE,
                        FREEZE_NAMESPACE,
                        Tree.of("metadata", Tree.of("annotations", annotations))),
                wanted
                        ? "You froze the fleet: no node goes by choice."
                        : "You let nodes go again.");
    }

    boolean isFrozen() {
        var namespace = store.find(ResourceType.NAMESPACE, FREEZE_NAMESPACE);
        return namespace != null
                && Meta.of(Field.root("", namespace, new Faults())).annotation(ControlKeys.FREEZE)
                        != null;
    }

    private static Outcome outcome(ApiAnswer answer, String message) {
        return answer.isDone()
                ? new Outcome.Done(message)
                : new Outcome.Refused("The API server refused: " + answer.explain());
    }
}
