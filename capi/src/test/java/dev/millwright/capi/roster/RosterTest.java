package dev.millwright.capi.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.port.Secrets;
import dev.millwright.capi.workspace.Inputs;
import dev.millwright.capi.workspace.Ownership;
import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.TerraformRuns;
import dev.millwright.capi.workspace.WorkspaceController;
import dev.millwright.capi.workspace.WorkspaceSettings;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.runtime.step.Controller;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;

final class RosterTest {

    private static List<Controller> controllers(String version, Half... halves) {
        var core = ClusterApi.of(version);
        return new Roster(
                        new Scope("", "", core),
                        7,
                        new WorkspaceController.Ports(
                                new NoTerraform(),
                                _ -> new Inputs.Answer.Missing("a test has none"),
                                _ -> new Secrets.Answer.Missing(),
                                Ownership.Answer.Ours::new,
                                ReferencePolicy.ANY),
                        WorkspaceSettings.DEFAULT)
                .controllers(List.of(halves));
    }

    private static List<String> names(Half... halves) {
        return controllers("v1beta2", halves).stream().map(Controller::name).sorted().toList();
    }

    @Test
    void controlPlanesAreTheOneHalf() {
        assertThat(names(Half.CONTROL_PLANE))
                .containsExactly("captcontrolplane.eks", "captcontrolplane.kubeconfig");
    }

    @Test
    void allElseIsTheOther() {
        assertThat(names(Half.INFRASTRUCTURE))
                .contains(
                        "captcluster.vpc",
                        "captmachine",
                        "captmachinedeployment",
                        "captmachinepool",
                        "captmachineset",
                        "workspace",
                        "workspace.garbagecollection",
                        "workspace.namespaced",
                        "workspacetemplate.use",
                        "workspacetemplateapply.workspace")
                .noneMatch(name -> name.startsWith("captcontrolplane."));
    }

    @Test
    void bothTogetherAreAllOfThemOnce() {
        assertThat(names(Half.values()))
                .doesNotHaveDuplicates()
                .containsAll(names(Half.INFRASTRUCTURE))
                .containsAll(names(Half.CONTROL_PLANE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1beta2"})
    void whatTheyLookAtIsWatched(String version) {
        var watched =
                controllers(version, Half.values()).stream()
                        .flatMap(each -> each.watches().stream())
                        .map(watch -> watch.kind().type())
                        .distinct()
                        .toList();
        assertThat(Kinds.all(ClusterApi.of(version)).stream().map(kind -> kind.type()).toList())
                .containsAll(watched);
    }

    /// Nobody runs Terraform here.
    private static final class NoTerraform implements TerraformRuns {
        @Override
        public Look look(String uid) {
            return new Look.Idle();
        }

        @Override
        public void start(RunOrder order) {}

        @Override
        public void interrupt(String uid) {}

        @Override
        public void settle(String uid) {}

        @Override
        public void collect(Set<String> uids) {}
    }
}
