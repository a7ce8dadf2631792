package dev.millwright.addons.crd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/// The definitions of HelmChartProxy and HelmReleaseProxy.
public final class AddonDefinitions {

    private static final List<String> NAMES =
            List.of(
                    "helmchartproxies.addons.cluster.x-k8s.io",
                    "helmreleaseproxies.addons.cluster.x-k8s.io");

    private AddonDefinitions() {}

    /// All of them, as documents of one YAML text.
    public static String text() {
        return NAMES.stream().map(AddonDefinitions::read).collect(Collectors.joining("---\n"));
    }

    private static String read(String name) {
        try (var stream = AddonDefinitions.class.getResourceAsStream(name + ".yaml")) {
            if (stream == null) {
                throw new IllegalStateException("definition %s is not in the jar".formatted(name));
            }
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
