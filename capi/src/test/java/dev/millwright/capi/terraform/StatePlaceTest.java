package dev.millwright.capi.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.Test;

import java.time.InstantSource;
import java.util.List;

/// Where states are kept, and whose they are.
final class StatePlaceTest {

    private static final String MANAGER = "capt-system";

    private static final ObjectName LEFT = new ObjectName("team-b", "db");
    private static final ObjectName RIGHT = new ObjectName("b", "db-team");
    private static final ObjectName WHOLE = new ObjectName("", "db-team-b");

    private final FakeApi api = new FakeApi(InstantSource.system());
    private final ClusterState cluster = new ClusterState(api);

    private static StatePlace place(ObjectName workspace) {
        return StatePlace.own(MANAGER, workspace, workspace.name());
    }

    private static StateOwner owner(ObjectName workspace, String namespace, String uid) {
        return StateOwner.of(
                new RunOrder.Target(
                        uid,
                        workspace.namespace().isEmpty() ? "workspace" : "workspace.namespaced",
                        workspace,
                        new From("", "", namespace),
                        workspace.name(),
                        1));
    }

    private static StateOwner owner(ObjectName workspace, String uid) {
        return owner(workspace, workspace.namespace(), uid);
    }

    private static StateFile state(String resource) {
        var bytes =
                "{\"version\":4,\"serial\":3,\"outputs\":{},\"resources\":[{\"name\":\"%s\"}]}"
                        .formatted(resource)
                        .getBytes(UTF_8);
        var state = StateFile.of(bytes);
        return state == null ? StateFile.NONE : state;
    }

    private String text(ClusterState.Read read) {
        return switch (read) {
            case ClusterState.Read.Failed(var message) -> message;
            case ClusterState.Read.Found(var state, _) -> new String(state.bytes(), UTF_8);
        };
    }

    @Test
    void theThreeThatSharedOneNameHaveThree() {
        var names = List.of(LEFT, RIGHT, WHOLE).stream().map(each -> place(each).secret()).toList();
        assertThat(names).doesNotHaveDuplicates();
        assertThat(StatePlace.earlier(null, MANAGER, LEFT, "db"))
                .extracting(each -> each == null ? null : each.secret())
                .isEqualTo(place(WHOLE).secret());
    }

    @Test
    void aStateThatAnotherOwnsIsNeitherReadNorWritten() {
        var place = new StatePlace("states", "db", "shared");
        assertThat(cluster.write(place, owner(LEFT, "u1"), state("left"))).isEmpty();
        assertThat(text(cluster.read(place, owner(RIGHT, "u2"))))
                .contains("belongs to workspace.namespaced team-b/db")
                .doesNotContain("serial");
        assertThat(text(cluster.read(place, owner(LEFT, "u1")))).contains("left");
    }

    @Test
    void aWorkspaceThatWasMadeAgainUnderItsNameHasItsState() {
        cluster.write(place(LEFT), owner(LEFT, "before"), state("left"));
        assertThat(text(cluster.read(place(LEFT), owner(LEFT, "after")))).contains("left");
    }

    @Test
    void aWorkspaceOfAnotherNamespacesApplyHasNotTheStateOfOneOfItsName() {
        cluster.write(place(WHOLE), owner(WHOLE, "team-a", "u1"), state("left"));
        assertThat(text(cluster.read(place(WHOLE), owner(WHOLE, "team-b", "u2"))))
                .contains("belongs to workspace team-a/db-team-b");
    }

    private void unowned(StatePlace place, String workspace, String suffix) {
        cluster.write(place, owner(LEFT, "u1"), state("old"));
        var written = api.find(ResourceType.SECRET, place.secret());
        var data = written == null ? null : written.fields().get("data");
        api.put(
                ResourceType.SECRET,
                Tree.of(
                                "metadata",
                                Tree.of("name", place.secret().name())
                                        .put("namespace", place.namespace())
                                        .put(
                                                "labels",
                                                Tree.of("tfstateWorkspace", workspace)
                                                        .put("tfstateSecretSuffix", suffix)))
                        .put("data", data == null ? new Tree().mapping() : data)
                        .mapping());
    }

    @Test
    void anOldStateIsThatOfTheWorkspaceItsLabelsName() {
        var old = new StatePlace(MANAGER, "db", "team-b-millwright");
        unowned(old, "db", "team-b-millwright");
        assertThat(text(cluster.readEarlier(old))).contains("old");
        assertThat(text(cluster.readEarlier(new StatePlace(MANAGER, "db-team", "b-millwright"))))
                .isEmpty();
        assertThat(text(cluster.read(place(WHOLE), owner(WHOLE, "u3"))))
                .contains("is that of workspace db with suffix team-b-millwright");
    }

    @Test
    void aStateOfTerraformsOwnIsTakenByTheWorkspaceWhoseNameNobodyElseCanHave() {
        var place = new StatePlace("upbound-system", "net", "aws");
        unowned(place, "net", "aws");
        var net = new ObjectName("", "net");
        assertThat(text(cluster.read(place, owner(net, "team", "u4")))).contains("old");
        assertThat(text(cluster.read(place, owner(new ObjectName("team", "net"), "u5"))))
                .contains("does not tell whose it is")
                .contains("millwright.dev/owner");
    }
}
