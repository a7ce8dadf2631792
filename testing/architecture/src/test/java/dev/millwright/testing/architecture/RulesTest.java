package dev.millwright.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Shows that each rule bites, on the classes under `broken` that break it.
final class RulesTest {

    private static final Rules RULES = new Rules("dev.millwright.testing.architecture.broken");

    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(RULES.root());

    @Test
    void coreMayNotImportTheKubernetesEdge() {
        assertThat(faults(RULES.moduleArrows()))
                .contains("core.label.Knotted.edge")
                .contains("has type <" + RULES.root() + ".kube.Edge>");
    }

    @Test
    void theDashboardMayNotImportTheKubernetesEdge() {
        assertThat(faults(RULES.moduleArrows())).contains("dashboard.Neighbour.edge");
    }

    @Test
    void whatWeShipMayNotImportTheKitOfItsTests() {
        assertThat(faults(RULES.moduleArrows())).contains("spi.Leaning.words");
    }

    @Test
    void coreMayNotUseALibrary() {
        assertThat(faults(RULES.moduleArrows())).contains("org.assertj.core.api.Assertions");
    }

    @Test
    void anEarlierPackageOfCoreMayNotImportALaterOne() {
        assertThat(faults(RULES.coreOrder())).contains("core.quantity.Impure.later");
    }

    @Test
    void aLaterPackageOfCoreMayImportAnEarlierOne() {
        assertThat(faults(RULES.coreOrder())).doesNotContain("core.label.Knotted.earlier");
    }

    @Test
    void packagesThatImportEachOtherAreACycle() {
        assertThat(faults(Stream.of(RULES.noPackageCycles()))).contains("Cycle detected");
    }

    @Test
    void aStepMayNotSleep() {
        assertThat(faults(RULES.stepsArePure())).contains("controllers.sleep.Sleeper.nap");
    }

    @Test
    void theAwsProviderMayNotNameTheSdkElsewhere() {
        assertThat(faults(Stream.of(RULES.theSdkHasOnePlace())))
                .contains("providers.aws.launch.Direct.region");
    }

    @Test
    void anotherOperatorMayNotImportALoopOfTheAutoscaler() {
        assertThat(faults(RULES.moduleArrows())).contains("capi.Curious.sleeper");
    }

    @Test
    void theShellMayNotKnowTheAutoscaler() {
        assertThat(faults(RULES.moduleArrows())).contains("runtime.loop.Partial.sleeper");
    }

    @Test
    void theShellMayNotKnowWhatANodeIs() {
        assertThat(faults(Stream.of(RULES.theShellKnowsNoNodes())))
                .contains("runtime.loop.Partial.label")
                .doesNotContain("runtime.loop.Partial.amount");
    }

    @Test
    void aClassOutsideTheModulesIsFound() {
        assertThat(faults(Stream.of(RULES.everyClassHasAModule()))).contains("stray.Stray");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.time.Clock",
                "java.time.Instant.now()",
                "java.lang.System.nanoTime()",
                "java.lang.System.currentTimeMillis()",
                "java.lang.System.out",
                "java.lang.Math.random()",
                "java.util.Random",
                "java.util.concurrent.ThreadLocalRandom",
                "java.util.logging.Logger",
                "java.net.URI",
                "java.io.File",
                "java.nio.file.Path",
            })
    void coreMayNotName(String banned) {
        assertThat(faults(RULES.coreIsPure())).contains("<" + banned);
    }

    private static String faults(Stream<ArchRule> rules) {
        return rules.flatMap(rule -> rule.evaluate(BROKEN).getFailureReport().getDetails().stream())
                .collect(Collectors.joining("\n"));
    }
}
