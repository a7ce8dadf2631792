package dev.millwright.testing.e2e.capi;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Plays whoever runs Workspaces: outputs and connection Secrets appear at once, without a run. A
/// module that says `fail` fails.
final class TerraformStandIn implements Controller {

    static final String ERROR = "apply: Error: VpcLimitExceeded: no more VPCs in this region";

    private static final String FINALIZER = "finalizer.managedresource.crossplane.io";

    private final List<String> made = new CopyOnWriteArrayList<>();
    private final List<String> destroyed = new CopyOnWriteArrayList<>();

    /// Workspaces in the order in which they were ready, and gone.
    List<String> made() {
        return List.copyOf(made);
    }

    List<String> destroyed() {
        return List.copyOf(destroyed);
    }

    @Override
    public String name() {
        return "workspace.standin";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(CaptTypes.WORKSPACE));
    }

    @Override
    public Pace pace() {
        return Pace.of(4);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var workspace = view.cache(CaptTypes.WORKSPACE).find(key);
        if (workspace == null) {
            return Step.DONE;
        }
        if ("true".equals(workspace.meta().annotation("crossplane.io/paused"))) {
            return status(
                    workspace,
                    workspace
                            .conditions()
                            .with("Synced", Status.FALSE, "ReconcilePaused", "", 0, now),
                    new Tree());
        }
        if (workspace.meta().isDeleting()) {
            return destroy(workspace);
        }
        if (!workspace.meta().hasFinalizer(FINALIZER)) {
            return Step.of(
                    new Effect.Write(
                            ObjectPatches.withFinalizer(
                                    CaptTypes.WORKSPACE, workspace, FINALIZER)));
        }
        return run(workspace, now);
    }

    private Step destroy(RawObject workspace) {
        if (!workspace.meta().hasFinalizer(FINALIZER)) {
            return Step.DONE;
        }
        return Step.of(
                new Effect.Remember("destroyed", () -> destroyed.add(workspace.name().name())),
                new Effect.Write(
                        ObjectPatches.withoutFinalizer(CaptTypes.WORKSPACE, workspace, FINALIZER)));
    }

    private Step run(RawObject workspace, Instant now) {
        var conditions = workspace.conditions();
        if (workspace.spec().at("forProvider").at("module").text("").contains("fail")) {
            return status(
                    workspace,
                    conditions.with("Synced", Status.FALSE, "ReconcileError", ERROR, 0, now),
                    new Tree());
        }
        var isNews = !conditions.isTrue("Ready");
        conditions =
                conditions
                        .with(
                                "Synced",
                                Status.TRUE,
                                "ReconcileSuccess",
                                "",
                                generation(workspace),
                                now)
                        .with("Ready", Status.TRUE, "Available", "", generation(workspace), now);
        var effects = new ArrayList<Effect>();
        if (isNews) {
            effects.add(new Effect.Remember("made", () -> made.add(workspace.name().name())));
            effects.add(secret(workspace, now));
        }
        effects.addAll(
                status(
                                workspace,
                                conditions,
                                Tree.of(
                                        "outputs",
                                        Tree.of("vpc_id", "vpc-0a")
                                                .put("cluster_endpoint", "https://eks.example")))
                        .effects());
        return Step.of(effects);
    }

    private static long generation(RawObject workspace) {
        return workspace.meta().generation();
    }

    private static Step status(RawObject workspace, ConditionList conditions, Tree provider) {
        return Step.of(
                ObjectPatches.statusIfChanged(
                        CaptTypes.WORKSPACE,
                        workspace,
                        new Tree()
                                .put("conditions", conditions.value())
                                .put("atProvider", provider)));
    }

    /// All that any template of this test might output.
    private static Effect secret(RawObject workspace, Instant now) {
        var reference = workspace.spec().at("writeConnectionSecretToRef");
        var namespace = reference.at("namespace").text("");
        var data =
                Tree.of(
                                "cluster_certificate_authority_data",
                                packed(packed("-----BEGIN CERTIFICATE-----\nca\n")))
                        .put("kubeconfig", packed(kubeconfig(now)));
        return new Effect.Write(
                new ApiWrite.Create(
                        ResourceType.SECRET,
                        namespace,
                        Tree.of("apiVersion", "v1")
                                .put("kind", "Secret")
                                .put("metadata", Tree.of("name", reference.at("name").text("")))
                                .put("type", "connection.crossplane.io/v1alpha1")
                                .put("data", data)
                                .mapping()),
                _ -> Step.DONE);
    }

    private static String kubeconfig(Instant now) {
        var from = now.getEpochSecond();
        var claims = "{\"iat\":%d,\"exp\":%d}".formatted(from, from + 86_400);
        return """
                clusters: [{name: c, cluster: {server: "https://eks.example"}}]
                users: [{name: u, user: {token: e30.%s.c2ln}}]
                """
                .formatted(packed(claims));
    }

    private static String packed(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
