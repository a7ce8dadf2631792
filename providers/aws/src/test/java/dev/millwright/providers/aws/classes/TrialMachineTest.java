package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Which machine a class is tried with.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C10")
class TrialMachineTest {

    private static final String GOOD = "True ValidationSucceeded";
    private static final String GPUS =
            "[{key: karpenter.k8s.aws/instance-gpu-count, operator: Exists}]";

    private static ClassRig rig() {
        return new ClassRig(ClassRig.Setup.USUAL.tried());
    }

    private static String asked(TestAccount aws, String action) {
        return new String(JsonWriter.bytes(aws.requests(action).getLast()), UTF_8);
    }

    @Test
    void aPoolsOwnTypesAreTriedWithAnImageWithoutDrivers(TestAccount aws) {
        var rig =
                rig().make()
                        .pool(
                                "some",
                                "[{key: karpenter.k8s.aws/instance-family, operator: In, values: [g4dn, c5]}]");
        rig.look();

        assertThat(rig.condition("ValidationSucceeded")).isEqualTo(GOOD);
        assertThat(asked(aws, "CreateFleet"))
                .contains("c5.", "ami-al2023amd64standard", "subnet-test1", "subnet-test3")
                .doesNotContain("g4dn");
        assertThat(asked(aws, "RunInstances")).contains("c5.", "subnet-test1");
    }

    @Test
    void whereAllPoolsWantGpusSuchAMachineIsTried(TestAccount aws) {
        rig().make().pool("gpus", GPUS).look();

        assertThat(asked(aws, "CreateFleet")).contains("ami-al2023amd64nvidia");
    }

    @Test
    void withoutPoolsAndForWindowsAnOrdinaryMachineIsTried(TestAccount aws) {
        rig().make().look();
        assertThat(asked(aws, "CreateFleet")).contains("m5.large");

        rig().make("amiSelectorTerms", "[{alias: windows2022@latest}]")
                .pool(
                        "some",
                        "[{key: karpenter.k8s.aws/instance-family, operator: In, values: [c5]}]")
                .look();
        assertThat(asked(aws, "CreateFleet")).contains("m5.large", "ami-windows2022");

        rig().make("amiFamily", "AL2023", "amiSelectorTerms", "[{id: ami-test4}]").look();
        assertThat(asked(aws, "CreateFleet")).contains("m6g.large", "ami-test4");
    }

    @Test
    void dedicatedTenancyIsTriedWhereAPoolAsksForIt(TestAccount aws) {
        rig().make().look();
        assertThat(asked(aws, "CreateLaunchTemplate")).doesNotContain("dedicated");

        rig().make()
                .pool(
                        "alone",
                        "[{key: karpenter.k8s.aws/instance-tenancy, operator: In, values: [dedicated]}]")
                .look();
        assertThat(asked(aws, "CreateLaunchTemplate")).contains("dedicated");
    }

    @Test
    void imagesThatNoMachineOfAPoolTakesAreToldAndEndNothing(TestAccount aws) {
        var rig =
                rig().make("amiFamily", "AL2023", "amiSelectorTerms", "[{id: ami-test4}]")
                        .pool("amd", "[{key: kubernetes.io/arch, operator: In, values: [amd64]}]");
        var ending = rig.look();

        assertThat(ending.toString()).contains("default", "instance types");
        assertThat(aws.calls("CreateLaunchTemplate")).isZero();
        rig.pool("arm", "[{key: kubernetes.io/arch, operator: In, values: [arm64]}]").look();
        assertThat(rig.condition("ValidationSucceeded")).isEqualTo(GOOD);
    }
}
