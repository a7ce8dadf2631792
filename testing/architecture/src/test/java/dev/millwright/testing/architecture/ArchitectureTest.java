package dev.millwright.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

final class ArchitectureTest {

    private static final Rules RULES = new Rules("dev.millwright");

    private static final ImportOption NO_TESTS = new ImportOption.DoNotIncludeTests();

    /// What we ship, and the kit beside it; tests may import what they please.
    private static final JavaClasses PRODUCT =
            new ClassFileImporter()
                    .withImportOption(ArchitectureTest::isShippedOrKit)
                    .importPackages(RULES.root());

    private static boolean isShippedOrKit(Location location) {
        return NO_TESTS.includes(location) || location.contains("/dev/millwright/testing/kit/");
    }

    static Stream<ArchRule> moduleArrows() {
        return RULES.moduleArrows();
    }

    static Stream<ArchRule> coreOrder() {
        return RULES.coreOrder();
    }

    static Stream<ArchRule> coreIsPure() {
        return RULES.coreIsPure();
    }

    static Stream<ArchRule> stepsArePure() {
        return RULES.stepsArePure();
    }

    @ParameterizedTest
    @MethodSource("stepsArePure")
    void stepsHoldNoClockNoClientAndNoThread(ArchRule rule) {
        rule.check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("moduleArrows")
    void modulesImportOnlyWhatTheirRowAllows(ArchRule rule) {
        rule.check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("coreOrder")
    void packagesOfCoreImportOnlyEarlierOnes(ArchRule rule) {
        rule.check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("coreIsPure")
    void coreReadsNoClockDrawsNoLotsAndTouchesNoFiles(ArchRule rule) {
        rule.check(PRODUCT);
    }

    @Test
    void theKitOfEveryModuleIsSeen() {
        assertThat(PRODUCT.stream().map(JavaClass::getPackageName))
                .contains(
                        "dev.millwright.testing.kit",
                        "dev.millwright.testing.kit.checker",
                        "dev.millwright.testing.kit.optimum",
                        "dev.millwright.testing.kit.cloud",
                        "dev.millwright.testing.kit.generator",
                        "dev.millwright.testing.kit.cluster",
                        "dev.millwright.testing.kit.log",
                        "dev.millwright.testing.kit.step",
                        "dev.millwright.testing.kit.disruption",
                        "dev.millwright.testing.kit.aws",
                        "dev.millwright.testing.kit.addons",
                        "dev.millwright.testing.kit.dashboard");
    }

    @Test
    void packagesFormNoCycle() {
        RULES.noPackageCycles().check(PRODUCT);
    }

    @Test
    void theSdkOfAwsIsNamedInOnePackage() {
        RULES.theSdkHasOnePlace().check(PRODUCT);
    }

    @Test
    void theShellOfAllOperatorsKnowsNoNodes() {
        RULES.theShellKnowsNoNodes().check(PRODUCT);
    }

    @Test
    void everyClassBelongsToAModule() {
        RULES.everyClassHasAModule().check(PRODUCT);
    }
}
