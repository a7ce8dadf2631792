package dev.millwright.providers.aws.controllers.tagging;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.launch.Instances;
import dev.millwright.providers.aws.launch.Machines;
import dev.millwright.providers.aws.nodeclass.NodeClassKeys;
import dev.millwright.providers.aws.nodeclass.ResourceTags;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Tags an instance with the names of its claim and node, once both are known. A tag that is there
/// is left as it is: it may be the user's.
public final class TaggingController implements Controller {

    /// What became of a wish to tag.
    private sealed interface Tagged {
        record Done() implements Tagged {}

        record Gone() implements Tagged {}

        record Failed(AwsFault fault) implements Tagged {}
    }

    private final Instances instances;
    private final String cluster;

    public TaggingController(Instances instances, String cluster) {
        this.instances = instances;
        this.cluster = cluster;
    }

    @Override
    public String name() {
        return "nodeclaim.tagging";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(Kind.NODE_CLAIM));
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claim = view.claim(key.name());
        if (claim == null || !isToBeTagged(view, claim)) {
            return Step.DONE;
        }
        var id = Machines.instanceId(claim.providerId());
        if (id == null) {
            return Step.of(
                    new Effect.Say(
                            LogLevel.ERROR,
                            "cannot tag the instance of a claim with a foreign provider id",
                            "NodeClaim",
                            key.name(),
                            "provider-id",
                            claim.providerId()));
        }
        return Step.of(
                new Effect.Ask<>(
                        "tag instance " + id,
                        Effect.Ask.Touch.CHANGES,
                        () -> tag(id, wanted(claim)),
                        answer -> tagged(claim, id, answer)));
    }

    private static boolean isToBeTagged(View view, ClaimObject claim) {
        return view.isManaged(claim.spec().nodeClassRef())
                && !claim.isDeleting()
                && !claim.status().nodeName().isEmpty()
                && !(isTrue(claim, NodeClassKeys.TAGGED)
                        && isTrue(claim, NodeClassKeys.CLUSTER_NAME_TAGGED));
    }

    private static boolean isTrue(ClaimObject claim, String annotation) {
        return "true".equals(claim.meta().annotation(annotation));
    }

    private SequencedMap<String, String> wanted(ClaimObject claim) {
        var tags = new TreeMap<String, String>();
        tags.put(ResourceTags.NAME, claim.status().nodeName());
        tags.put(ResourceTags.NODE_CLAIM, claim.name().name());
        tags.put(ResourceTags.CLUSTER_NAME, cluster);
        return tags;
    }

    private Tagged tag(String id, SequencedMap<String, String> wanted) {
        return switch (instances.find(id)) {
            case Instances.Lookup.Gone() -> new Tagged.Gone();
            case Instances.Lookup.Failed(var fault) -> new Tagged.Failed(fault);
            case Instances.Lookup.Found(var instance) -> {
                var missing = new TreeMap<>(wanted);
                missing.keySet().removeAll(instance.tags().keySet());
                try {
                    if (!missing.isEmpty()) {
                        instances.tag(instance, missing);
                    }
                    yield new Tagged.Done();
                } catch (AwsFault fault) {
                    yield fault.isNotFound() ? new Tagged.Gone() : new Tagged.Failed(fault);
                }
            }
        };
    }

    private static Step tagged(ClaimObject claim, String id, Tagged answer) {
        return switch (answer) {
            case Tagged.Gone() -> Step.DONE;
            case Tagged.Failed(var fault) ->
                    Step.failed("instance %s cannot be tagged: %s".formatted(id, fault.text()));
            case Tagged.Done() ->
                    Step.of(
                            new Effect.Write(
                                    new ApiWrite.Patch(
                                            ResourceType.NODE_CLAIM,
                                            claim.name(),
                                            ApiWrite.PatchKind.MERGE,
                                            ApiWrite.Subresource.NONE,
                                            Tree.of("metadata", Tree.of("annotations", done()))
                                                    .mapping())));
        };
    }

    private static Tree done() {
        return Tree.of(NodeClassKeys.TAGGED, "true").put(NodeClassKeys.CLUSTER_NAME_TAGGED, "true");
    }
}
