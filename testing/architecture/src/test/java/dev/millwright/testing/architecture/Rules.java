package dev.millwright.testing.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The rules, for the packages below one root: ours, or those of the classes that break them.
///
/// A rule about a package without classes holds: packages come later than the rules about them.
record Rules(String root) {

    /// Packages of core, each importing only those before it.
    static final List<String> CORE_ORDER =
            List.of(
                    "quantity",
                    "label",
                    "catalog",
                    "cluster",
                    "policy",
                    "scheduling",
                    "disruption",
                    "deliberation",
                    "forecast",
                    "explain");

    /// Types that bring time, chance, files, sockets or logs into a decision. An address is a
    /// value; to look one up is not.
    private static final String BANNED_TYPES =
            String.join(
                    "|",
                    "java\\.time\\.(Clock|InstantSource)",
                    "java\\.util\\.(Random|SplittableRandom|Timer|Scanner)",
                    "java\\.util\\.random\\..*",
                    "java\\.util\\.concurrent\\.ThreadLocalRandom",
                    "java\\.security\\.SecureRandom",
                    "java\\.util\\.logging\\..*",
                    "java\\.lang\\.System\\$Logger.*",
                    "java\\.net\\.(?!InetAddress$).*",
                    "java\\.io\\.(File.*|RandomAccessFile|Console)",
                    "java\\.nio\\.(file|channels)\\..*");

    /// Members of types that are otherwise welcome.
    private static final Set<String> BANNED_MEMBERS =
            Set.of(
                    "java.net.InetAddress.getAllByName",
                    "java.net.InetAddress.getByName",
                    "java.net.InetAddress.getLocalHost",
                    "java.net.InetAddress.isReachable",
                    "java.lang.System.currentTimeMillis",
                    "java.lang.System.nanoTime",
                    "java.lang.System.out",
                    "java.lang.System.err",
                    "java.lang.System.in",
                    "java.lang.System.getenv",
                    "java.lang.System.getProperty",
                    "java.lang.Math.random",
                    "java.lang.StrictMath.random",
                    "java.lang.Thread.sleep",
                    "java.util.Collections.shuffle",
                    "java.util.UUID.randomUUID");

    /// Packages of controllers that carry the steps; all others hold steps, which decide only.
    private static final Set<String> SHELL = Set.of("operator");

    /// Packages of the Cluster API provider that reach the world; all others hold steps.
    private static final Set<String> CAPI_SHELL = Set.of("port", "runner", "terraform", "manager");

    /// The same of the add-ons.
    private static final Set<String> ADDONS_SHELL = Set.of("port", "helm", "manager");

    /// Types by which a step would reach the world behind the back of who runs it.
    private static final String BANNED_IN_STEPS =
            String.join(
                    "|",
                    BANNED_TYPES,
                    "java\\.lang\\.Thread",
                    ".*\\.kube\\.client\\.KubeApi",
                    ".*\\.spi\\.CloudProvider");

    /// The rule of each module's row: our packages and the libraries it may name.
    Stream<ArchRule> moduleArrows() {
        return Stream.of(Module.values())
                .flatMap(module -> Stream.of(importsItsRow(module), usesItsLibraries(module)));
    }

    private ArchRule importsItsRow(Module module) {
        return noClasses()
                .that()
                .resideInAPackage(module.packagesIn(root))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOf(module.forbidden()))
                .because("a module imports only what its row allows, never a neighbour")
                .allowEmptyShould(true);
    }

    private ArchRule usesItsLibraries(Module module) {
        return noClasses()
                .that()
                .resideInAPackage(module.packagesIn(root))
                .should()
                .dependOnClassesThat(
                        resideOutsideOfPackage(root + "..")
                                .and(
                                        DescribedPredicate.not(
                                                resideInAnyPackage(module.outsidePackages())))
                                .and(DescribedPredicate.not(primitivesAndArrays())))
                .because("a library is used where docs/decisions/0003-dependencies.md allows it")
                .allowEmptyShould(true);
    }

    /// The shell serves every operator: of core it uses amounts and the names of objects, of kube
    /// no kind of object in particular.
    ArchRule theShellKnowsNoNodes() {
        return noClasses()
                .that()
                .resideInAPackage(Module.RUNTIME.packagesIn(root))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(root + ".core..", root + ".kube.object..")
                                .and(
                                        DescribedPredicate.not(
                                                resideInAPackage(root + ".core.quantity..")))
                                .and(
                                        DescribedPredicate.not(
                                                nameMatching(
                                                        ".*\\.(core\\.cluster\\.ObjectName|kube\\.object\\.KubeObject)"))))
                .because("docs/decisions/0070-three-operators-on-one-shell.md")
                .allowEmptyShould(true);
    }

    /// No class stands outside the modules, where no arrow would hold it.
    ArchRule everyClassHasAModule() {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .resideInAnyPackage(packagesOf(Set.of(Module.values())))
                .allowEmptyShould(true);
    }

    /// Whoever wants something of AWS asks a port; one package knows how that is done.
    ArchRule theSdkHasOnePlace() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + ".providers.aws.sdk..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon.awssdk..")
                .because("the SDK is named in one package: docs/decisions/0016-aws-by-its-sdk.md")
                .allowEmptyShould(true);
    }

    Stream<ArchRule> coreOrder() {
        return CORE_ORDER.stream().map(this::importsOnlyEarlier);
    }

    private ArchRule importsOnlyEarlier(String name) {
        var core = root + ".core.";
        var allowed = CORE_ORDER.subList(0, CORE_ORDER.indexOf(name) + 1);
        return noClasses()
                .that()
                .resideInAPackage(core + name + "..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage(root + ".core..")
                                .and(
                                        DescribedPredicate.not(
                                                resideInAnyPackage(
                                                        allowed.stream()
                                                                .map(each -> core + each + "..")
                                                                .toArray(String[]::new)))))
                .because("packages of core import only those before them: " + CORE_ORDER)
                .allowEmptyShould(true);
    }

    ArchRule noPackageCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles().allowEmptyShould(true);
    }

    /// Core names nothing that reads the time, draws by chance or touches the world outside its
    /// arguments.
    Stream<ArchRule> coreIsPure() {
        var core = Module.CORE.packagesIn(root);
        return Stream.of(
                noClasses()
                        .that()
                        .resideInAPackage(core)
                        .should()
                        .dependOnClassesThat(nameMatching(BANNED_TYPES))
                        .because("core decides on values alone")
                        .allowEmptyShould(true),
                noClasses()
                        .that()
                        .resideInAPackage(core)
                        .should()
                        .accessTargetWhere(bannedMember())
                        .because("core decides on values alone")
                        .allowEmptyShould(true));
    }

    /// A step maps values to effects; whoever runs it holds the clock, the client and the cloud.
    Stream<ArchRule> stepsArePure() {
        var shell =
                Stream.of(
                                SHELL.stream().map(name -> root + ".controllers." + name + ".."),
                                CAPI_SHELL.stream().map(name -> root + ".capi." + name + ".."),
                                ADDONS_SHELL.stream().map(name -> root + ".addons." + name + ".."))
                        .flatMap(each -> each)
                        .toArray(String[]::new);
        var steps =
                resideInAnyPackage(
                                packagesOf(Set.of(Module.CONTROLLERS, Module.CAPI, Module.ADDONS)))
                        .and(DescribedPredicate.not(resideInAnyPackage(shell)))
                        .or(resideInAPackage(root + ".runtime.step.."));
        return Stream.of(
                noClasses()
                        .that(steps)
                        .should()
                        .dependOnClassesThat(nameMatching(BANNED_IN_STEPS))
                        .because("a step decides on what it is given")
                        .allowEmptyShould(true),
                noClasses()
                        .that(steps)
                        .should()
                        .accessTargetWhere(bannedMember())
                        .because("a step decides on what it is given")
                        .allowEmptyShould(true));
    }

    private static DescribedPredicate<JavaAccess<?>> bannedMember() {
        return describe(
                "the target reads the time, draws by chance or touches the process",
                access -> {
                    var owner = access.getTargetOwner().getName();
                    var isNow =
                            owner.startsWith("java.time.")
                                    && access.getTarget().getName().equals("now");
                    return isNow
                            || BANNED_MEMBERS.contains(owner + "." + access.getTarget().getName());
                });
    }

    private static DescribedPredicate<JavaClass> primitivesAndArrays() {
        return describe(
                "primitives and arrays",
                type -> type.getBaseComponentType().isPrimitive() || type.isArray());
    }

    private String[] packagesOf(Set<Module> modules) {
        return modules.stream().map(module -> module.packagesIn(root)).toArray(String[]::new);
    }
}
