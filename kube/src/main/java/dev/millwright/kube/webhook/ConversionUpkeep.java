package dev.millwright.kube.webhook;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.certificate.Credentials;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.time.Sleeper;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Keeps the webhook usable, on every replica: the Secret with its certificate, the definitions
/// that name it and trust it, and objects that are still stored in the older version.
///
/// The order makes a change of certificate invisible: first the definitions trust the new one
/// beside the old, then it is served. Replicas that write at once lose by the version of what they
/// read.
public final class ConversionUpkeep {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private static final ResourceType SECRET =
            new ResourceType("", "v1", "secrets", "Secret", true);

    /// Where the webhook is, and under which names it is asked for.
    ///
    /// @param client how the API server reaches it, without path and certificates
    public record Place(ObjectName secret, List<String> names, Client client) {
        public Place {
            names = List.copyOf(names);
        }
    }

    /// How an API server reaches the webhook.
    public sealed interface Client {

        record Service(ObjectName name, int port) implements Client {}

        /// For a process outside the cluster; without a slash at its end.
        record Address(String url) implements Client {}
    }

    private final KubeApi api;
    private final ConversionServer server;
    private final Place place;
    private final Definitions definitions;
    private final InstantSource clock;
    private final Consumer<String> notes;
    private final Set<String> told = new HashSet<>();
    private boolean isQuiet;

    public ConversionUpkeep(
            KubeApi api,
            ConversionServer server,
            Place place,
            CustomResources resources,
            InstantSource clock,
            Consumer<String> notes) {
        this.api = api;
        this.server = server;
        this.place = place;
        this.definitions = new Definitions(api, resources, this::tell);
        this.clock = clock;
        this.notes = notes;
    }

    /// Until the thread is interrupted.
    public void run(Sleeper sleeper) {
        try {
            while (true) {
                look();
                sleeper.sleep(PERIOD);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        isQuiet = true;
        keep();
        if (isQuiet) {
            told.clear();
        }
    }

    private void keep() {
        var credentials = credentials();
        if (credentials == null) {
            return;
        }
        var isTrusted =
                definitions.kept(
                        place.client(),
                        Base64.getEncoder()
                                .encodeToString(
                                        credentials.bundle().getBytes(StandardCharsets.UTF_8)));
        var served = server.credentials();
        // The very first has nobody who trusts another.
        if (isTrusted || served == null) {
            server.use(credentials);
        }
    }

    /// Null when the Secret cannot be read or written now; the next look tries again.
    private @Nullable Credentials credentials() {
        return switch (api.read(SECRET, place.secret())) {
            case ApiAnswer.Done(var secret) -> {
                var found = Credentials.of(decoded(secret));
                yield found != null && !found.isDue(place.names(), clock.instant())
                        ? found
                        : renewed(found, secret);
            }
            case ApiAnswer answer when answer.isNotFound() -> created();
            case ApiAnswer answer -> {
                tell(
                        "the webhook's Secret %s cannot be read: %s"
                                .formatted(place.secret(), answer.explain()));
                yield null;
            }
        };
    }

    private @Nullable Credentials created() {
        var made = Credentials.founded(server.credentials(), place.names(), clock.instant());
        var body =
                Tree.of("apiVersion", "v1")
                        .put("kind", "Secret")
                        .put("metadata", Tree.of("name", place.secret().name()))
                        .put("type", "Opaque")
                        .put("data", encoded(made));
        return written(
                made, new ApiWrite.Create(SECRET, place.secret().namespace(), body.mapping()));
    }

    private @Nullable Credentials renewed(@Nullable Credentials found, Value.Mapping secret) {
        var now = clock.instant();
        var made =
                found == null
                        ? Credentials.founded(server.credentials(), place.names(), now)
                        : found.renewed(place.names(), now);
        var version =
                secret.fields().get("metadata") instanceof Value.Mapping metadata
                        ? metadata.text("resourceVersion")
                        : null;
        var body =
                Tree.of("metadata", Tree.of().putUnlessEmpty("resourceVersion", version))
                        .put("data", encoded(made));
        return written(
                made,
                new ApiWrite.Patch(
                        SECRET, place.secret(), PatchKind.MERGE, Subresource.NONE, body.mapping()));
    }

    private @Nullable Credentials written(Credentials made, ApiWrite write) {
        var answer = api.write(write);
        if (answer.isDone()) {
            tell(
                    "made a certificate for the webhook, valid until %s"
                            .formatted(made.certificate().getNotAfter().toInstant()));
            return made;
        }
        if (!answer.isConflict()) {
            tell(
                    "the webhook's Secret %s cannot be written: %s"
                            .formatted(place.secret(), answer.explain()));
        }
        return null;
    }

    private static Tree encoded(Credentials credentials) {
        var data = Tree.of();
        credentials
                .texts()
                .forEach(
                        (name, text) ->
                                data.put(
                                        name,
                                        Base64.getEncoder()
                                                .encodeToString(
                                                        text.getBytes(StandardCharsets.UTF_8))));
        return data;
    }

    private static SequencedMap<String, String> decoded(Value.Mapping secret) {
        var texts = new TreeMap<String, String>();
        if (secret.fields().get("data") instanceof Value.Mapping(_, var data)) {
            data.forEach(
                    (name, value) -> {
                        if (value instanceof Value.Text(_, var text)) {
                            texts.put(name, decoded(text));
                        }
                    });
        }
        return texts;
    }

    private static String decoded(String text) {
        try {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    /// Once, until a look finds nothing to say: the same trouble comes again every few seconds.
    private void tell(String words) {
        isQuiet = false;
        if (told.add(words)) {
            notes.accept(words);
        }
    }
}
