package dev.millwright.capi.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Kubeconfigs;
import dev.millwright.capi.stage.Sample;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Whatever comes in whatever order: steps, runs that fail or end, conflicts, deaths of the
/// process, and in the middle of it the deletion of everything.
final class OrderProperties {

    private static final List<String> ORDER =
            List.of("prod-vpc", "prod-eks-controlplane", "prod-kubeconfig");

    private static final int STEPS = 400;
    private static final int DELETED_AT = 200;

    private final CaptStage stage = new CaptStage();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
    void noWorkspaceIsWithoutItsApplyAndTheOrderHoldsInBothDirections(long seed) {
        var chance = new Random(seed);
        var deletedAt = chance.nextInt(DELETED_AT);
        stage.given(Sample.TEMPLATES)
                .given(Sample.CLUSTER)
                .given(Sample.CAPT_CLUSTER)
                .given(Sample.CONTROL_PLANE);
        for (var step = 0; step < STEPS; step++) {
            if (step == deletedAt) {
                deleteAll(chance);
            }
            happen(chance);
            check(seed, step);
        }
        drain();
        assertThat(stage.rig().view().cache(CaptTypes.WORKSPACE).all())
                .as("seed %d", seed)
                .isEmpty();
        assertThat(stage.rig().view().cache(CaptTypes.APPLY).all()).isEmpty();
        assertThat(stage.rig().view().cache(CaptTypes.CONTROL_PLANE).all()).isEmpty();
        assertThat(stage.rig().view().cache(CaptTypes.CLUSTER).all()).isEmpty();
    }

    /// Users try again where a write of theirs met a conflict.
    private void forgetConflicts() {
        for (var write = 0; write < STEPS; write++) {
            stage.patch(stage.api().cluster(), "prod", new Tree());
        }
    }

    private void deleteAll(Random chance) {
        forgetConflicts();
        if (chance.nextBoolean()) {
            stage.delete(CaptTypes.CLUSTER, "prod").delete(CaptTypes.CONTROL_PLANE, "prod");
        } else {
            stage.delete(CaptTypes.CONTROL_PLANE, "prod").delete(CaptTypes.CLUSTER, "prod");
        }
        if (chance.nextInt(3) == 0) {
            for (var apply : List.copyOf(stage.rig().view().cache(CaptTypes.APPLY).all())) {
                stage.delete(CaptTypes.APPLY, apply.name().name());
            }
        }
    }

    private void happen(Random chance) {
        switch (chance.nextInt(12)) {
            case 0 -> stage.restart();
            case 1 ->
                    stage.rig()
                            .api()
                            .nextAnswer(new ApiAnswer.Refused(409, "Conflict", "somebody wrote"));
            case 2 -> stage.rig().advance(Duration.ofMinutes(chance.nextInt(20)));
            case 3, 4 -> terraform(chance);
            default -> look(chance);
        }
    }

    private void look(Random chance) {
        var controllers = stage.controllers();
        var controller = controllers.get(chance.nextInt(controllers.size()));
        var objects = List.copyOf(stage.rig().view().cache(stage.kind(controller)).all());
        if (!objects.isEmpty()) {
            stage.rig().run(controller, objects.get(chance.nextInt(objects.size())).name());
        }
    }

    private void terraform(Random chance) {
        var workspaces = List.copyOf(stage.rig().view().cache(CaptTypes.WORKSPACE).all());
        if (workspaces.isEmpty()) {
            return;
        }
        var workspace = workspaces.get(chance.nextInt(workspaces.size()));
        var name = workspace.name().name();
        if (workspace.meta().isDeleting()) {
            stage.terraform().gone(name);
        } else if (chance.nextInt(4) == 0) {
            stage.terraform().failed(name, "apply: Error: throttled");
        } else {
            done(name);
        }
    }

    private void done(String workspace) {
        stage.secret(
                "prod-eks-connection",
                Map.of("cluster_certificate_authority_data", CaptStage.AUTHORITY));
        stage.secret(
                "prod-outputs-kubeconfig",
                Map.of("kubeconfig", Kubeconfigs.eks(stage.rig().now())));
        stage.terraform()
                .done(
                        workspace,
                        Tree.of("vpc_id", "vpc-1").put("cluster_endpoint", CaptStage.ENDPOINT));
    }

    private void check(long seed, int step) {
        for (var workspace : stage.rig().view().cache(CaptTypes.WORKSPACE).all()) {
            var mark = workspace.meta().annotation("millwright.dev/apply");
            assertThat(mark).isNotNull();
            var apply = new ObjectName("team", String.valueOf(mark).substring("team/".length()));
            assertThat(stage.rig().has(CaptTypes.APPLY, apply))
                    .as("seed %d, step %d: apply of %s", seed, step, workspace.name())
                    .isTrue();
        }
        for (var at = 1; at < ORDER.size(); at++) {
            if (stage.hasWorkspace(ORDER.get(at))) {
                var needed = ORDER.get(at - 1);
                assertThat(stage.hasWorkspace(needed) && !isGoing(needed))
                        .as("seed %d, step %d: %s lives on %s", seed, step, ORDER.get(at), needed)
                        .isTrue();
            }
        }
    }

    private boolean isGoing(String workspace) {
        return stage.workspace(workspace).meta().isDeleting();
    }

    /// All runs end, and nothing disturbs any more.
    private void drain() {
        forgetConflicts();
        for (var round = 0; round < ORDER.size() + 2; round++) {
            stage.settle();
            stage.rig().view().cache(CaptTypes.WORKSPACE).all().stream()
                    .filter(workspace -> workspace.meta().isDeleting())
                    .map(RawObject::name)
                    .toList()
                    .forEach(name -> stage.terraform().gone(name.name()));
        }
        stage.settle();
    }
}
