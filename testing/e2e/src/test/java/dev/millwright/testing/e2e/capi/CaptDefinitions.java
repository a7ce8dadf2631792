package dev.millwright.testing.e2e.capi;

import dev.millwright.capi.crd.CaptResources;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Our definitions and those of core Cluster API on a control plane.
public final class CaptDefinitions {

    private static final String CORE_GROUP = "cluster.x-k8s.io";

    private CaptDefinitions() {}

    /// Returns when every kind is served.
    public static void install(ControlPlane plane) {
        var definitions = new ArrayList<String>();
        var names = new ArrayList<String>();
        for (var file : coreFiles()) {
            definitions.add(text(file));
            var plural = file.getFileName().toString().replaceAll(".*_|\\.yaml", "");
            names.add(plural + "." + CORE_GROUP);
        }
        definitions.add(CaptResources.all().text());
        names.addAll(CaptResources.all().names());
        plane.apply(String.join("\n---\n", definitions));
        awaitServed(plane, names);
    }

    /// A definition is served a moment after it is established.
    static void awaitServed(ControlPlane plane, List<String> names) {
        Eventually.see(
                "every kind of Cluster API is served", () -> answer(plane, names), String::isEmpty);
    }

    /// Core's kinds that ours meet; there are more of its add-ons.
    private static List<Path> coreFiles() {
        try (var files = Files.list(Tools.path("cluster-api-crds"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(CORE_GROUP + "_"))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Why a kind cannot be listed; empty when all can.
    private static String answer(ControlPlane plane, List<String> names) {
        try {
            plane.kubectl("get", "--all-namespaces", String.join(",", names));
            return "";
        } catch (IllegalStateException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
