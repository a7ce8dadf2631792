package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

class AwsEndpointIT {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Test
    void theEndpointPassesItsOwnTests() {
        var script = Path.of("..", "aws-endpoint", "test.sh").toString();
        assertThatNoException().isThrownBy(() -> Shell.run(List.of("bash", script), "", LIMIT));
    }
}
