package dev.millwright.testing.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The API server takes every object of `examples/nodepools`, and knows each of its fields.
@ExtendWith(AdmissionExtension.class)
final class ScenarioExamplesIT {

    private static final Path DIRECTORY = Tools.ROOT.resolve("examples/nodepools");

    private final Admission admission;

    ScenarioExamplesIT(Admission admission) {
        this.admission = admission;
    }

    static Stream<Path> files() throws IOException {
        try (var files = Files.list(DIRECTORY)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void theServerTakesTheExample(Path file) throws IOException {
        assertThat(admission.accepts(Files.readString(file)))
                .containsAll(List.of("EC2NodeClass", "NodePool"));
    }
}
