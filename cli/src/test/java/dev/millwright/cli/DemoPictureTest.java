package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.cli.demo.DemoWorld;
import dev.millwright.cli.demo.StillPicture;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class DemoPictureTest {

    /// Tests run in the module's directory.
    private static final Path PICTURE = Path.of("..", "docs", "images", "demo.svg");

    @Test
    void thePictureInTheDocumentsIsWhatTheDemoShowsNow() throws IOException {
        var wanted = StillPicture.of(DemoWorld.of(DemoCommand.SEED_DEFAULT));
        assertThat(Files.readString(PICTURE).equals(wanted))
                .as("%s is what the demo shows; if not, run: make picture".formatted(PICTURE))
                .isTrue();
    }
}
