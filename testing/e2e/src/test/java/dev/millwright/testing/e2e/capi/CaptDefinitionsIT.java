package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.crd.CaptResources;
import dev.millwright.testing.e2e.ControlPlane;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class CaptDefinitionsIT {

    private static ControlPlane plane;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly());
        CaptDefinitions.install(plane);
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @Test
    void everyDefinitionIsEstablished() {
        var conditions =
                plane.kubectl(
                        "get",
                        "crd",
                        "-o",
                        "jsonpath={range .items[*]}{.metadata.name}{range"
                                + " .status.conditions[?(@.status!='True')]} {.type}={.status}"
                                + " {.message}{end}{\"\\n\"}{end}");
        assertThat(conditions.lines()).containsAll(CaptResources.all().names());
    }
}
