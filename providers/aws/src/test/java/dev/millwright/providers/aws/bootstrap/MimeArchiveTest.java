package dev.millwright.providers.aws.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class MimeArchiveTest {

    @Test
    void whatWasWrittenIsReadAgain() throws MimeException {
        var archive =
                new MimeArchive(
                        List.of(
                                MimeArchive.Part.shell("#!/bin/sh\necho 1\n"),
                                MimeArchive.Part.of("text/plain", "")));

        assertThat(MimeArchive.read(archive.text())).isEqualTo(archive);
    }

    @Test
    void headersAreReadWhateverTheirCaseAndFolding() throws MimeException {
        var archive =
                MimeArchive.read(
                        """
                        content-type: Multipart/Mixed;
                          BOUNDARY===B==
                        MIME-VERSION: 1.0

                        words for old readers
                        --==B==
                        content-TYPE: text/plain
                        x-note: one
                        \ttwo

                        body
                        --inner--

                        --==B==--
                        words after the end
                        """);

        assertThat(archive.parts()).hasSize(1);
        assertThat(archive.parts().getFirst().headers())
                .containsEntry("Content-Type", "text/plain")
                .containsEntry("X-Note", "one two");
        assertThat(archive.parts().getFirst().body()).isEqualTo("body\n--inner--\n");
    }

    @Test
    void aBoundaryThatOpensNothingEndsTheArchive() throws MimeException {
        var text =
                """
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary="//"

                --//
                Content-Type: text/plain

                body
                --//
                """;
        var archive = MimeArchive.read(text.replace("\n", "\r\n"));

        assertThat(archive.parts()).containsExactly(MimeArchive.Part.of("text/plain", "body"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    'MIME-Version: 1.0\\n\\nbody'                                      | no Content-Type
                    'Content-Type: text/plain\\n\\nbody'                               | of type "text/plain"
                    'Content-Type: multipart/mixed\\n\\nbody'                          | names no boundary
                    'Content-Type: multipart/mixed; boundary=b\\n\\n--b\\n\\nbody'     | ends within a part
                    'Content-Type: multipart/mixed; boundary=b\\n\\nbody'              | ends within a part
                    'MIME-Version: 1.0\\nno header here\\n\\n'                         | line 2 is "no header here"
                    """)
    void whatIsNoArchiveIsTold(String text, String problem) {
        assertThatExceptionOfType(MimeException.class)
                .isThrownBy(() -> MimeArchive.read(text.replace("\\n", "\n")))
                .withMessageContaining(problem);
    }
}
