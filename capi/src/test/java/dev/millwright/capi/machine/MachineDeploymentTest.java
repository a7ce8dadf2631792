package dev.millwright.capi.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.object.RawObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/// A deployment replaces its machines as its strategy says.
final class MachineDeploymentTest {

    private static final String DEFAULTS = "{}";

    private final Yard yard = new Yard();

    private RawObject deployment() {
        return yard.find(CaptTypes.MACHINE_DEPLOYMENT, "workers");
    }

    private int status(String field) {
        return deployment().status().at(field).whole(0, 100, -1);
    }

    private String reason(String type) {
        return yard.reason(CaptTypes.MACHINE_DEPLOYMENT, "workers", type);
    }

    private List<String> types() {
        return yard.all(CaptTypes.MACHINE).stream()
                .map(each -> each.spec().at("instanceType").text(""))
                .distinct()
                .sorted()
                .toList();
    }

    private String revision(String type) {
        return yard.all(CaptTypes.MACHINE_SET).stream()
                .filter(
                        set ->
                                set.spec()
                                        .at("template")
                                        .at("spec")
                                        .at("instanceType")
                                        .text("")
                                        .equals(type))
                .map(set -> String.valueOf(set.meta().annotation("millwright.dev/revision")))
                .findFirst()
                .orElse("none");
    }

    /// Until every machine is of the template, each apply being done when it is seen.
    private void rolledOut() {
        for (var round = 0; round < 60 && !reason("Ready").startsWith("True"); round++) {
            yard.applied();
        }
        assertThat(reason("Ready")).isEqualTo("True RolledOut");
    }

    @Test
    void aDeploymentMakesASetWithAHashAndSaysWhenItIsReady() {
        yard.deployment(3, "m7g.large", DEFAULTS);
        assertThat(reason("Available")).isEqualTo("False MinimumReplicasUnavailable");
        assertThat(reason("Progressing")).isEqualTo("True MachineSetUpdated");
        yard.applied();

        var set = yard.all(CaptTypes.MACHINE_SET).getFirst();
        var hash = set.meta().label("capt-deployment-hash");
        assertThat(hash).isNotEmpty();
        assertThat(set.name().name()).isEqualTo("workers-" + hash);
        assertThat(yard.all(CaptTypes.MACHINE))
                .hasSize(3)
                .allMatch(each -> each.meta().label("capt-deployment-hash").equals(hash));
        assertThat(reason("Ready")).isEqualTo("True RolledOut");
        assertThat(reason("Available")).isEqualTo("True MinimumReplicasAvailable");
        assertThat(reason("Progressing")).isEqualTo("True NewMachineSetAvailable");
        assertThat(status("updatedReplicas")).isEqualTo(3);
        assertThat(status("availableReplicas")).isEqualTo(3);
        assertThat(status("unavailableReplicas")).isZero();
    }

    @Test
    void aNewTemplateReplacesMachinesOneByOneByDefault() {
        yard.deployment(3, "m7g.large", DEFAULTS).applied();
        yard.instanceType("m7g.xlarge").settle();

        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(4);
        assertThat(yard.ready()).isEqualTo(3);

        yard.applied();
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(4);
        assertThat(yard.ready()).isEqualTo(3);

        rolledOut();
        assertThat(types()).containsExactly("m7g.xlarge");
        assertThat(yard.all(CaptTypes.MACHINE_SET)).hasSize(2);
        assertThat(revision("m7g.large")).isEqualTo("1");
        assertThat(revision("m7g.xlarge")).isEqualTo("2");
    }

    @Test
    void anOldTemplateThatComesBackFindsItsSet() {
        yard.deployment(2, "m7g.large", DEFAULTS).applied();
        yard.instanceType("m7g.xlarge").settle();
        rolledOut();
        yard.instanceType("m7g.large").settle();
        rolledOut();

        assertThat(types()).containsExactly("m7g.large");
        assertThat(yard.all(CaptTypes.MACHINE_SET)).hasSize(2);
        assertThat(revision("m7g.large")).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void aRollBackTakesTheTemplateOfARevision(String wanted) {
        yard.deployment(2, "m7g.large", DEFAULTS).applied();
        yard.spec(
                CaptTypes.MACHINE_DEPLOYMENT,
                "workers",
                "{template: {spec: {instanceType: m7g.xlarge, labels: {added: later}}}}");
        yard.settle();
        rolledOut();

        yard.patch(
                CaptTypes.MACHINE_DEPLOYMENT,
                "workers",
                "metadata: {annotations: {millwright.dev/rollback-to: '%s'}}".formatted(wanted),
                Subresource.NONE);
        yard.settle();
        rolledOut();

        assertThat(types()).containsExactly("m7g.large");
        assertThat(deployment().spec().at("template").at("spec").at("labels").isPresent())
                .isFalse();
        assertThat(deployment().meta().annotation("millwright.dev/rollback-to")).isNull();
        assertThat(yard.all(CaptTypes.MACHINE_SET)).hasSize(2);
        assertThat(yard.rig.eventReasons()).contains("RollbackDone");
    }

    @Test
    void aRollBackByItsFieldToARevisionThatIsNotThereIsToldAndForgotten() {
        yard.deployment(1, "m7g.large", DEFAULTS).applied();
        yard.spec(CaptTypes.MACHINE_DEPLOYMENT, "workers", "{rollbackTo: {revision: 7}}").settle();

        assertThat(yard.rig.eventReasons()).contains("RollbackRevisionNotFound");
        assertThat(deployment().spec().at("rollbackTo").isPresent()).isFalse();
        assertThat(types()).containsExactly("m7g.large");
    }

    @Test
    void aBrokenTemplateStopsAtItsFirstMachineAndPassesTheDeadline() {
        yard.deployment(3, "m7g.large", DEFAULTS).applied();
        yard.instanceType("broken").settle();
        yard.rig.advance(Duration.ofSeconds(599));
        yard.settle();
        assertThat(reason("Progressing")).isEqualTo("True MachineSetUpdated");

        yard.rig.advance(Duration.ofSeconds(1));
        yard.settle();
        assertThat(reason("Progressing")).isEqualTo("False ProgressDeadlineExceeded");
        assertThat(reason("Available")).isEqualTo("True MinimumReplicasAvailable");
        assertThat(yard.ready()).isEqualTo(3);

        yard.instanceType("m7g.large").settle();
        assertThat(reason("Ready")).isEqualTo("True RolledOut");
        assertThat(types()).containsExactly("m7g.large");
    }

    @Test
    void aRecreationHasNoTwoTemplatesAtOnce() {
        yard.deployment(2, "m7g.large", "{type: Recreate}").applied();
        yard.instanceType("m7g.xlarge").settle();

        assertThat(types()).containsExactly("m7g.xlarge");
        rolledOut();
        var made = yard.all(CaptTypes.MACHINE);
        yard.settle();
        assertThat(yard.all(CaptTypes.MACHINE)).isEqualTo(made);
    }

    @Test
    void aPausedDeploymentIsScaledButNotRolled() {
        yard.deployment(2, "m7g.large", DEFAULTS).applied();
        yard.spec(CaptTypes.MACHINE_DEPLOYMENT, "workers", "{paused: true, replicas: 3}");
        yard.instanceType("m7g.xlarge").settle();

        assertThat(types()).containsExactly("m7g.large");
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(3);
        assertThat(reason("Progressing")).isEqualTo("Unknown DeploymentPaused");

        yard.applied();
        yard.spec(CaptTypes.MACHINE_DEPLOYMENT, "workers", "{paused: false}").settle();
        rolledOut();
        assertThat(types()).containsExactly("m7g.xlarge");
    }

    @Test
    void onlyAsManyOldSetsAreKeptAsTheLimitSays() {
        yard.deployment(1, "a", DEFAULTS);
        yard.spec(CaptTypes.MACHINE_DEPLOYMENT, "workers", "{revisionHistoryLimit: 1}");
        rolledOut();
        for (var type : List.of("b", "c", "d")) {
            yard.instanceType(type).settle();
            rolledOut();
        }
        yard.settle();

        assertThat(yard.all(CaptTypes.MACHINE_SET)).hasSize(2);
        assertThat(revision("c")).isEqualTo("3");
        assertThat(revision("d")).isEqualTo("4");
    }

    @Test
    void aNameThatIsTakenLeadsToAnother() {
        yard.deployment(1, "m7g.large", DEFAULTS).applied();
        var taken = yard.all(CaptTypes.MACHINE_SET).getFirst().name().name();
        var second = new Yard();
        second.rig.apply(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachineSet
                metadata:
                  name: %s
                  namespace: shop
                  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: other, uid: u, controller: true}]
                spec: {replicas: 0, template: {metadata: {labels: {role: other}}, spec: {}}}
                """
                        .formatted(taken));
        second.deployment(1, "m7g.large", DEFAULTS);

        assertThat(second.all(CaptTypes.MACHINE_SET)).hasSize(2);
        assertThat(second.all(CaptTypes.MACHINE)).hasSize(1);
        assertThat(
                        second.find(CaptTypes.MACHINE_DEPLOYMENT, "workers")
                                .status()
                                .at("collisionCount")
                                .whole(0, 9, -1))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}}",
                "{strategy: {rollingUpdate: {maxSurge: 0%, maxUnavailable: 0}}}",
                "{strategy: {rollingUpdate: {maxSurge: -1}}}",
                "{strategy: {rollingUpdate: {maxUnavailable: many%}}}",
                "{strategy: {rollingUpdate: {maxUnavailable: 101%}}}",
                "{strategy: {type: BlueGreen}}",
                "{replicas: -1}",
                "{minReadySeconds: -5}",
                "{revisionHistoryLimit: -1}",
                "{progressDeadlineSeconds: 0}",
                "{minReadySeconds: 600}",
                "{selector: {matchLabels: {role: db}}}",
                "{selector: {matchExpressions: [{key: role, operator: Near, values: [worker]}]}}"
            })
    void aBadValueIsToldAndNothingIsTouched(String bad) {
        yard.deployment(2, "m7g.large", DEFAULTS).applied();
        var before = yard.all(CaptTypes.MACHINE_SET);
        yard.spec(CaptTypes.MACHINE_DEPLOYMENT, "workers", bad);
        yard.instanceType("m7g.xlarge").settle();

        assertThat(reason("Ready")).isEqualTo("False InvalidConfiguration");
        assertThat(deployment().status().at("failureMessage").text("")).isNotEmpty();
        assertThat(yard.all(CaptTypes.MACHINE_SET)).isEqualTo(before);
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(2);
    }

    @Test
    void aDeploymentGoesAfterEverythingOfIt() {
        yard.deployment(3, "m7g.large", DEFAULTS).applied();
        yard.instanceType("m7g.xlarge").settle();
        yard.delete(CaptTypes.MACHINE_DEPLOYMENT, "workers");
        yard.settle();

        assertThat(yard.all(CaptTypes.MACHINE_DEPLOYMENT)).isEmpty();
        assertThat(yard.all(CaptTypes.MACHINE_SET)).isEmpty();
        assertThat(yard.all(CaptTypes.MACHINE)).isEmpty();
        assertThat(yard.all(CaptTypes.APPLY)).isEmpty();
    }

    @Test
    void aDeploymentThatIsSettledWritesNothing() {
        yard.deployment(2, "m7g.large", DEFAULTS).applied();
        yard.rig.api().forgetWrites();
        yard.pass();

        assertThat(yard.rig.api().writes()).isEmpty();
    }
}
