package dev.millwright.capi.cluster;

import dev.millwright.capi.apply.WorkspaceState;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a CAPTCluster says of itself: the fields of both contracts of Cluster API from one truth.
final class ClusterStatus {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    /// As many as the newer contract allows.
    private static final int FAILURE_DOMAINS_MAX = 100;

    private static final String READY = "Ready";
    private static final String VPC_READY = "VPCReady";
    private static final String VPC_FAILED = "VPCFailed";
    private static final String WAITING = "WaitingForCluster";
    private static final String PAUSED = "Paused";

    private final RawObject own;
    private final Instant now;
    private final boolean isNewer;

    /// @param isNewer whether the core that reads it knows the newer contract
    ClusterStatus(RawObject own, Instant now, boolean isNewer) {
        this.own = own;
        this.now = now;
        this.isNewer = isNewer;
    }

    private record Verdict(Status status, String reason, String message) {}

    Step paused() {
        return Step.of(
                written(Tree.of(), with(own.conditions(), PAUSED, Status.TRUE, "Paused", "")));
    }

    Step deleting(String message) {
        var conditions = unpaused();
        conditions = with(conditions, READY, Status.FALSE, "Deleting", message);
        return Step.of(written(new Tree().put("ready", false), conditions)).thenAgain(LOOK_AGAIN);
    }

    Step of(Vpc vpc) {
        var verdict = verdict(vpc);
        var conditions = unpaused();
        conditions =
                vpc instanceof Vpc.Unowned
                        ? with(
                                conditions,
                                WAITING,
                                Status.TRUE,
                                "ClusterNotFound",
                                "no Cluster owns this object, and none has its name")
                        : conditions.without(WAITING);
        conditions =
                vpc instanceof Vpc.Faulty(var reason, var message)
                        ? with(conditions, VPC_FAILED, Status.TRUE, reason, message)
                        : conditions.without(VPC_FAILED);
        var types = vpc instanceof Vpc.Unowned ? List.of(READY) : List.of(READY, VPC_READY);
        for (var type : types) {
            conditions =
                    with(conditions, type, verdict.status(), verdict.reason(), verdict.message());
        }
        var effects = new ArrayList<Effect>();
        var before = own.conditions().find(READY);
        if (before == null
                || !before.reason().equals(verdict.reason())
                || !before.message().equals(verdict.message())) {
            effects.add(event(vpc, verdict));
        }
        effects.addAll(written(fields(vpc), conditions));
        return verdict.status() == Status.TRUE
                ? Step.of(effects)
                : Step.of(effects).thenAgain(LOOK_AGAIN);
    }

    private static Verdict verdict(Vpc vpc) {
        return switch (vpc) {
            case Vpc.Unowned() ->
                    new Verdict(Status.FALSE, "ClusterNotFound", "waits for its Cluster");
            case Vpc.Faulty(var reason, var message) -> new Verdict(Status.FALSE, reason, message);
            case Vpc.Existing(var id) ->
                    new Verdict(Status.TRUE, "ExistingVPCUsed", "uses VPC " + id);
            case Vpc.Made made -> verdict(made);
        };
    }

    private static Verdict verdict(Vpc.Made made) {
        var error = made.error();
        if (error != null) {
            return new Verdict(Status.FALSE, "VPCCreationFailed", error);
        }
        return made.isAvailable()
                ? new Verdict(Status.TRUE, "VPCCreated", "")
                : new Verdict(Status.FALSE, "VPCCreating", waiting(made.apply()));
    }

    private static String waiting(@Nullable RawObject apply) {
        var ready = apply == null ? null : apply.conditions().find(READY);
        return ready == null ? "" : ready.message();
    }

    private Effect event(Vpc vpc, Verdict verdict) {
        var subject = KubeEvent.Subject.of(CaptTypes.CLUSTER.type(), own);
        var isBad =
                vpc instanceof Vpc.Faulty || (vpc instanceof Vpc.Made made && made.error() != null);
        var message = verdict.message().isEmpty() ? verdict.reason() : verdict.message();
        return new Effect.Publish(
                isBad
                        ? KubeEvent.warning(subject, verdict.reason(), message)
                        : KubeEvent.normal(subject, verdict.reason(), message));
    }

    private Tree fields(Vpc vpc) {
        var isReady =
                switch (vpc) {
                    case Vpc.Existing(_) -> true;
                    case Vpc.Made made -> made.isAvailable();
                    case Vpc.Unowned(), Vpc.Faulty(_, _) -> false;
                };
        var fields = new Tree().put("ready", isReady);
        // What was complete once stays so for the newer contract: it only tells of the beginning.
        if (isReady) {
            fields.put("initialization", new Tree().put("provisioned", true));
        }
        if (vpc instanceof Vpc.Faulty(var reason, var message)) {
            fields.put("failureReason", reason).put("failureMessage", message);
        } else {
            fields.putNothing("failureReason").putNothing("failureMessage");
        }
        switch (vpc) {
            case Vpc.Existing(var id) -> fields.put("vpcId", id);
            case Vpc.Made made -> made(fields, made);
            case Vpc.Unowned(), Vpc.Faulty(_, _) -> {}
        }
        return fields;
    }

    private void made(Tree fields, Vpc.Made made) {
        var state = made.state();
        if (state == null || made.apply() == null) {
            return;
        }
        var workspace = state.workspace().name().name();
        fields.putUnlessEmpty("vpcId", state.output("vpc_id").text(""))
                .put("vpcWorkspaceName", workspace);
        var zones = zones(state);
        if (!zones.isEmpty()) {
            fields.put("failureDomains", failureDomains(zones));
        }
        var error = state.error();
        var summary =
                new Tree()
                        .put("ready", state.isAvailable())
                        .put("workspaceName", workspace)
                        .putUnlessEmpty(
                                "lastAppliedTime",
                                made.apply().status().at("lastAppliedTime").text(""));
        if (error == null) {
            summary.putNothing("lastFailedRevision").putNothing("lastFailureMessage");
            if (state.isReady()) {
                summary.putUnlessEmpty("lastAppliedRevision", state.hash());
            }
        } else {
            summary.putUnlessEmpty("lastFailedRevision", state.hash())
                    .put("lastFailureMessage", error);
        }
        fields.put("workspaceTemplateStatus", summary);
    }

    /// What the template tells of its zones, by the name that Terraform's own module has for them
    /// or by the long one. A template that tells something else by it tells none.
    private static List<String> zones(WorkspaceState state) {
        for (var name : List.of("azs", "availability_zones")) {
            if (state.output(name).value() instanceof Value.Sequence(_, var elements)) {
                return elements.stream()
                        .filter(each -> each instanceof Value.Text)
                        .map(each -> ((Value.Text) each).text())
                        .distinct()
                        .limit(FAILURE_DOMAINS_MAX)
                        .toList();
            }
        }
        return List.of();
    }

    /// EKS has its control plane in all of them. The contracts differ in form alone.
    private Value failureDomains(List<String> zones) {
        if (isNewer) {
            return Tree.list(
                    zones.stream()
                            .map(zone -> Tree.of("name", zone).put("controlPlane", true).mapping())
                            .toList());
        }
        var byName = new Tree();
        zones.forEach(zone -> byName.put(zone, new Tree().put("controlPlane", true)));
        return byName.mapping();
    }

    private ConditionList unpaused() {
        return with(own.conditions(), PAUSED, Status.FALSE, "NotPaused", "");
    }

    private ConditionList with(
            ConditionList conditions, String type, Status status, String reason, String message) {
        return conditions.with(type, status, reason, message, own.meta().generation(), now);
    }

    private List<Effect> written(Tree fields, ConditionList conditions) {
        return ObjectPatches.statusIfChanged(
                CaptTypes.CLUSTER,
                own,
                fields.put("observedGeneration", own.meta().generation())
                        .put("conditions", conditions.value()));
    }
}
