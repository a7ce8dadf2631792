package dev.millwright.kube.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// Strangers send a webhook the largest requests that it takes, many at once, of the shape that
/// costs most memory. The webhook has a small heap and a process of its own.
final class ConversionStormTest {

    private static final int STRANGERS = 12;
    private static final String HEAP_MAX = "-Xmx192m";

    /// A webhook that runs until its standard input ends.
    static final class Webhook {
        public static void main(String[] arguments) throws IOException {
            var credentials = WebhookClient.credentials();
            try (var server = ConversionServer.open(new FakeApi(InstantSource.system()), 0)) {
                server.use(credentials);
                System.out.println(server.port());
                System.out.println(credentials.bundle());
                System.out.println("END");
                System.out.flush();
                System.in.readAllBytes();
            }
            System.exit(0);
        }
    }

    private static Process webhook() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP_MAX,
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Webhook.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// Two bytes a number are the most objects for the fewest bytes. No list may be longer than a
    /// million.
    private static byte[] question(int bytes) {
        var list = "[" + "0,".repeat(bytes / 4 - 32) + "0]";
        return "{\"request\":{\"objects\":[%s,%s]}}".formatted(list, list).getBytes(UTF_8);
    }

    @Test
    void aStormOfTheLargestRequestsLeavesItAnswering() throws Exception {
        var process = webhook();
        try (var reader = process.inputReader(UTF_8);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var port = Integer.parseInt(reader.readLine());
            var bundle = new StringBuilder();
            for (var line = reader.readLine(); !line.equals("END"); line = reader.readLine()) {
                bundle.append(line).append('\n');
            }
            var client = new WebhookClient(bundle.toString(), port);
            var largest = question(3 << 20);
            var storm = new ArrayList<Callable<String>>();
            for (var stranger = 0; stranger < STRANGERS; stranger++) {
                storm.add(() -> client.ask(largest).substring(0, "HTTP/1.1 200".length()));
            }

            var answers = new ArrayList<String>();
            for (var each : threads.invokeAll(storm)) {
                answers.add(each.get());
            }

            assertThat(answers).isSubsetOf("HTTP/1.1 200", "HTTP/1.1 400", "HTTP/1.1 503");
            assertThat(client.ask(WebhookClient.review("a").getBytes(UTF_8)))
                    .startsWith("HTTP/1.1 200");
        } finally {
            process.destroyForcibly();
        }
    }
}
