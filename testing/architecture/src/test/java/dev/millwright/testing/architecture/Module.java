package dev.millwright.testing.architecture;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The modules, which of them each may import, and which libraries besides the JDK and JSpecify.
/// Modules that have no classes yet stand here too: their arrows are decided before their code.
enum Module {
    CORE("core", Set.of()),
    SPI("spi", Set.of(CORE)),
    KUBE("kube", Set.of(CORE), Library.FABRIC8, Library.JACKSON, Library.SNAKEYAML),
    RUNTIME("runtime", Set.of(CORE, KUBE), Library.JACKSON, Library.PROMETHEUS),
    CONTROLLERS("controllers", Set.of(CORE, SPI, KUBE, RUNTIME)),
    PROVIDERS_AWS("providers.aws", Set.of(CORE, SPI, KUBE, RUNTIME, CONTROLLERS), Library.AWS),
    PROVIDERS_SIM("providers.sim", Set.of(CORE, SPI, KUBE)),
    WORLD("world", Set.of(CORE, SPI, KUBE, RUNTIME, CONTROLLERS, PROVIDERS_SIM)),
    CAPI("capi", Set.of(CORE, KUBE, RUNTIME)),
    ADDONS("addons", Set.of(CORE, KUBE, RUNTIME)),
    DASHBOARD("dashboard", Set.of(CORE)),
    CLI("cli", product(), Library.PICOCLI, Library.JACKSON, Library.SNAKEYAML),
    TESTING_KIT("testing.kit", product(), Library.JUNIT, Library.ASSERTJ, Library.JACKSON);

    private final String path;
    private final Set<Module> imports;
    private final List<Library> libraries;

    Module(String path, Set<Module> imports, Library... libraries) {
        this.path = path;
        this.imports = imports;
        this.libraries = List.of(libraries);
    }

    /// All that is wired together, and nothing that wires.
    private static Set<Module> product() {
        return Set.of(
                CORE,
                SPI,
                KUBE,
                RUNTIME,
                CONTROLLERS,
                PROVIDERS_AWS,
                PROVIDERS_SIM,
                WORLD,
                CAPI,
                ADDONS,
                DASHBOARD);
    }

    /// The pattern of this module's packages below `root`.
    String packagesIn(String root) {
        return root + "." + path + "..";
    }

    Set<Module> forbidden() {
        var forbidden = EnumSet.allOf(Module.class);
        forbidden.remove(this);
        forbidden.removeAll(imports);
        return forbidden;
    }

    /// Everything outside our own packages that this module may name.
    String[] outsidePackages() {
        return Stream.concat(
                        Stream.of(
                                "java..",
                                "javax..",
                                "jdk..",
                                "com.sun.management..",
                                "com.sun.net.httpserver..",
                                "org.jspecify.."),
                        libraries.stream().flatMap(library -> library.packages.stream()))
                .toArray(String[]::new);
    }

    private enum Library {
        AWS("software.amazon.awssdk.."),
        ASSERTJ("org.assertj.."),
        FABRIC8("io.fabric8.kubernetes.."),
        JACKSON("com.fasterxml.jackson.core.."),
        JUNIT("org.junit..", "org.opentest4j..", "org.apiguardian.."),
        PICOCLI("picocli.."),
        PROMETHEUS("io.prometheus.metrics.."),
        SNAKEYAML("org.snakeyaml.engine..");

        private final List<String> packages;

        Library(String... packages) {
            this.packages = List.of(packages);
        }
    }
}
