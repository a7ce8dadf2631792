package dev.millwright.testing.e2e.terraform;

import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/// Each module by itself, without AWS and without a cluster.
final class TerraformModulesIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final Terraform TERRAFORM = new Terraform();

    @Test
    void filesAreLaidOutAsTerraformDoes() {
        assertThatNoException()
                .isThrownBy(() -> TERRAFORM.run(".", "fmt", "-check", "-diff", "-recursive"));
    }

    @Test
    void tablesOfInputsAndOutputsAreThoseOfTheModules() {
        var script = Terraform.ROOT.resolve("deploy/terraform/docs.py").toString();
        assertThatNoException()
                .isThrownBy(() -> Shell.run(List.of("python3", script, "--check"), "", LIMIT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spot-service-linked-role",
                "karpenter-infra",
                "karpenter",
                "karpenter-chart-and-crds",
                "karpenter-standalone"
            })
    void modulesPassTheirOwnTests(String module) {
        TERRAFORM.init(module);
        assertThatNoException().isThrownBy(() -> TERRAFORM.run(module, "test", "-no-color"));
    }
}
