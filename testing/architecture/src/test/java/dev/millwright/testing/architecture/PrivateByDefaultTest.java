package dev.millwright.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Who takes our templates as they are gets API servers that the internet does not reach.
final class PrivateByDefaultTest {

    private static final Path ROOT = Repository.root();

    /// As it stands, or as the default of one of clusterctl's variables.
    private static final Pattern PUBLIC =
            Pattern.compile("endpointAccess:\\n +public: (?:\\$\\{\\w+:=)?(\\w+)");

    private static final Pattern OPEN =
            Pattern.compile("endpointAccess:\\n(?: +(?!public: true)\\S.*\\n)*? +public: true\\n");

    private static List<String> templates(String folder) {
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(PrivateByDefaultTest::text)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void noReleasedTemplateOpensAnApiServerToTheInternet() {
        var answers =
                templates("deploy/capt").stream()
                        .flatMap(text -> PUBLIC.matcher(text).results())
                        .map(found -> found.group(1))
                        .toList();
        assertThat(answers).hasSizeGreaterThanOrEqualTo(2).containsOnly("false");
    }

    @Test
    void anExampleThatOpensOneSaysForWhom() {
        var open =
                templates("examples/capt").stream()
                        .flatMap(
                                text ->
                                        OPEN.matcher(text)
                                                .results()
                                                .map(MatchResult::end)
                                                .map(text::substring))
                        .toList();
        assertThat(open)
                .isNotEmpty()
                .allSatisfy(rest -> assertThat(rest).containsPattern("\\A.*\\n +publicCIDRs:\\n"));
    }

    @Test
    void theModuleTakesSilenceForPrivate() {
        assertThat(text(ROOT.resolve("deploy/capt/modules/eks/cluster.tf")))
                .contains("try(tobool(var.endpoint_public_access), false)");
    }
}
