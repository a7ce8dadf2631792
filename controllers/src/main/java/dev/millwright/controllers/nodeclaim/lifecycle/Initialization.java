package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.function.Predicate;

/// Says when a registered node has come up: ready, without the taints of its start, and with all
/// resources that were asked for. There is no deadline; somebody may look into a node that does not
/// get ready.
final class Initialization {

    /// What a node still lacks.
    private record Lack(String reason, String message) {}

    Step initialized(Progress progress, Function<Progress, Step> next) {
        if (!progress.conditions().isUnknown(ClaimObject.INITIALIZED)) {
            return next.apply(progress.observed(ClaimObject.INITIALIZED));
        }
        // A node that is about to go down would count as come up until it does.
        if (!progress.isTrue(ClaimObject.REGISTERED) || progress.isTrue(ClaimObject.REBOOTING)) {
            return next.apply(progress);
        }
        var nodes = progress.view().nodesOf(progress.claim().providerId());
        if (nodes.size() != 1) {
            return next.apply(
                    waiting(
                            progress,
                            new Lack(
                                    "NodeNotFound",
                                    "%d Nodes have the provider id of this claim; one was wanted"
                                            .formatted(nodes.size()))));
        }
        var node = nodes.getFirst();
        var lack = lack(node, progress.claim());
        if (lack != null) {
            return next.apply(waiting(progress, lack));
        }
        return labelled(progress, node, next);
    }

    private static Progress waiting(Progress progress, Lack lack) {
        return progress.waiting(ClaimObject.INITIALIZED, lack.reason(), lack.message());
    }

    private static @Nullable Lack lack(NodeObject node, ClaimObject claim) {
        var name = node.name().name();
        if (!node.isReady()) {
            return new Lack("NodeNotReady", "Node %s is not ready".formatted(name));
        }
        var startup =
                taint(
                        node,
                        taint -> claim.spec().startupTaints().stream().anyMatch(taint::matches));
        if (startup != null) {
            return new Lack(
                    "StartupTaintsExist",
                    "Node %s still has the startup taint %s".formatted(name, startup));
        }
        var ephemeral = taint(node, Taint::isEphemeral);
        if (ephemeral != null) {
            return new Lack(
                    "KnownEphemeralTaintsExist",
                    "Node %s still has the taint %s".formatted(name, ephemeral));
        }
        var resource = missingResource(node, claim);
        return resource == null
                ? null
                : new Lack(
                        "ResourceNotRegistered",
                        "Node %s has no %s to allocate yet, which the claim requests"
                                .formatted(name, resource));
    }

    private static @Nullable Taint taint(NodeObject node, Predicate<Taint> isMeant) {
        return node.node().taints().stream().filter(isMeant).findFirst().orElse(null);
    }

    private static @Nullable String missingResource(NodeObject node, ClaimObject claim) {
        return claim.spec().requests().amounts().entrySet().stream()
                .filter(request -> !request.getValue().isZero())
                .filter(request -> node.node().allocatable().amount(request.getKey()).isZero())
                .map(java.util.Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private static Step labelled(
            Progress progress, NodeObject node, Function<Progress, Step> next) {
        var done = progress.found(ClaimObject.INITIALIZED).afterwards(told(progress, node));
        if (node.isInitialized()) {
            return next.apply(done);
        }
        var patch =
                new ApiWrite.Patch(
                        ResourceType.NODE,
                        node.name(),
                        PatchKind.MERGE,
                        Subresource.NONE,
                        Tree.of(
                                        "metadata",
                                        Tree.of("labels", Tree.of(LabelKeys.INITIALIZED, "true")))
                                .mapping());
        return Step.of(
                new Effect.Write(
                        patch,
                        answer ->
                                next.apply(
                                        answer.isDone()
                                                ? done
                                                : Registration.unwritten(progress, node, answer))));
    }

    private static Effect told(Progress progress, NodeObject node) {
        return new Effect.Say(
                LogLevel.INFO,
                "initialized a node",
                "NodeClaim",
                progress.claim().name().name(),
                "Node",
                node.name().name(),
                "provider-id",
                node.providerId(),
                "allocatable",
                node.node().allocatable().toString());
    }
}
