package dev.millwright.testing.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.crd.ReservedDomain;
import dev.millwright.kube.crd.ReservedDomain.Reach;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// What the server makes of the definitions themselves.
@ExtendWith(AdmissionExtension.class)
final class DefinitionsIT {

    private final Admission admission;

    DefinitionsIT(Admission admission) {
        this.admission = admission;
    }

    @Tag("L147")
    @ParameterizedTest
    @CsvSource({
        "nodepools.karpenter.sh, ''",
        "nodeclaims.karpenter.sh, ''",
        "nodeoverlays.karpenter.sh, overlays",
        "capacitybuffers.autoscaling.x-k8s.io, cb",
        "kwoknodeclasses.karpenter.kwok.sh, kwoknc kwokncs",
        "ec2nodeclasses.karpenter.k8s.aws, ec2nc ec2ncs",
    })
    void theServerTakesEveryName(String name, String shortNames) {
        var accepted = admission.definition(name).getStatus().getAcceptedNames();

        assertThat(String.join(" ", accepted.getShortNames())).isEqualTo(shortNames);
        assertThat(accepted.getCategories()).hasSize(1);
    }

    @Tag("L148")
    @ParameterizedTest
    @CsvSource({
        "nodepools.karpenter.sh",
        "nodeclaims.karpenter.sh",
        "nodeoverlays.karpenter.sh",
        "capacitybuffers.autoscaling.x-k8s.io",
        "kwoknodeclasses.karpenter.kwok.sh",
        "ec2nodeclasses.karpenter.k8s.aws",
    })
    void everySchemaIsStructuralAndStoredInOneVersion(String name) {
        var status = admission.definition(name).getStatus();

        assertThat(status.getConditions())
                .filteredOn(condition -> condition.getType().equals("NonStructuralSchema"))
                .isEmpty();
        assertThat(status.getStoredVersions()).hasSize(1);
    }

    @Tag("L149")
    @Test
    void theServerTakesTheDefinitionsOfAnyProvider() {
        var domain =
                new ReservedDomain(
                        "provider.example.com",
                        List.of("provider.example.com/size"),
                        Reach.REQUIREMENTS_AND_LABELS);
        var closed = new ReservedDomain("closed.example.com", List.of(), Reach.REQUIREMENTS);

        admission.acceptsDefinitions(CustomResources.core());
        admission.acceptsDefinitions(CustomResources.kwok());
        admission.acceptsDefinitions(CustomResources.aws());
        admission.acceptsDefinitions(CustomResources.core().reserving(domain).reserving(closed));
    }
}
