package dev.millwright.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A kubeconfig that somebody else wrote, reduced to one connection: an https server, its
/// certificate authority, and a token or a client certificate, all of them in the file itself.
///
/// Everything else a kubeconfig can hold makes its reader do something with the reader's own
/// rights: run a command, read a file and send it to the server, go by way of a proxy. Such a file
/// is refused, and what is handed on is written anew from what was understood.
public final class InlineKubeconfig {

    /// What a Secret can hold.
    private static final int BYTES_MAX = 1 << 20;

    private static final String NAME = "workload";
    private static final String SERVER = "server";
    private static final String AUTHORITY = "certificate-authority-data";
    private static final String SERVER_NAME = "tls-server-name";
    private static final String INSECURE = "insecure-skip-tls-verify";
    private static final String TOKEN = "token";
    private static final String CERTIFICATE = "client-certificate-data";
    private static final String KEY = "client-key-data";

    /// Without a meaning for the connection.
    private static final Set<String> IGNORED = Set.of("extensions", "disable-compression");

    private static final Set<String> CLUSTER_FIELDS =
            Set.of(SERVER, AUTHORITY, SERVER_NAME, INSECURE);
    private static final Set<String> USER_FIELDS = Set.of(TOKEN, CERTIFICATE, KEY);

    public sealed interface Answer {

        @SuppressWarnings("ArrayRecordComponent") // Handed on at once, never compared.
        record Reduced(byte[] bytes) implements Answer {
            @Override
            public String toString() {
                return "Reduced"; // It holds a credential.
            }
        }

        /// The message has the names of fields and no values.
        record Refused(String message) implements Answer {}
    }

    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message, null, false, false);
        }
    }

    private InlineKubeconfig() {}

    public static Answer of(byte[] kubeconfig) {
        try {
            return new Answer.Reduced(JsonWriter.bytes(reduced(root(kubeconfig)).mapping()));
        } catch (Refusal refusal) {
            return new Answer.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    private static Field root(byte[] bytes) throws Refusal {
        if (bytes.length > BYTES_MAX) {
            throw new Refusal("it has %d bytes; at most %d".formatted(bytes.length, BYTES_MAX));
        }
        try {
            var documents =
                    DocumentReader.readAll(Source.text("kubeconfig", new String(bytes, UTF_8)));
            if (documents.size() == 1) {
                return Field.root("kubeconfig", documents.getFirst(), new Faults());
            }
        } catch (DocumentException notYaml) {
            // Told below, without the file's own words.
        }
        throw new Refusal("it is not one YAML document");
    }

    private static Tree reduced(Field root) throws Refusal {
        var context = named(root, "contexts", "context", root.at("current-context"));
        var cluster = named(root, "clusters", "cluster", context.at("cluster"));
        var user = named(root, "users", "user", context.at("user"));
        return Tree.of("apiVersion", "v1")
                .put("kind", "Config")
                .put("current-context", NAME)
                .putList(
                        "contexts",
                        List.of(
                                Tree.of("name", NAME)
                                        .put("context", Tree.of("cluster", NAME).put("user", NAME))
                                        .mapping()))
                .putList(
                        "clusters",
                        List.of(Tree.of("name", NAME).put("cluster", cluster(cluster)).mapping()))
                .putList("users", List.of(Tree.of("name", NAME).put("user", user(user)).mapping()));
    }

    private static Field named(Field root, String list, String field, Field name) throws Refusal {
        var wanted = text(name);
        if (wanted.isEmpty()) {
            throw new Refusal("%s is empty".formatted(name.path()));
        }
        for (var each : root.at(list).elements()) {
            if (text(each.at("name")).equals(wanted)) {
                return each.at(field);
            }
        }
        throw new Refusal("%s names none of its %s".formatted(name.path(), list));
    }

    private static Tree cluster(Field cluster) throws Refusal {
        checkFields("cluster", cluster, CLUSTER_FIELDS);
        if (cluster.at(INSECURE).isTrue()) {
            throw new Refusal(
                    "cluster.%s is true; put the server's authority into %s"
                            .formatted(INSECURE, AUTHORITY));
        }
        var reduced = Tree.of(SERVER, server(text(cluster.at(SERVER))));
        put(reduced, cluster, AUTHORITY);
        put(reduced, cluster, SERVER_NAME);
        return reduced;
    }

    private static String server(String text) throws Refusal {
        var uri = uri(text);
        var isPlain =
                uri != null
                        && uri.getHost() != null
                        && uri.getUserInfo() == null
                        && "https".equals(lower(uri.getScheme()));
        if (!isPlain) {
            throw new Refusal("cluster.server is not an address with https://");
        }
        return text;
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    private static @Nullable URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException none) {
            return null;
        }
    }

    private static Tree user(Field user) throws Refusal {
        checkFields("user", user, USER_FIELDS);
        var reduced = new Tree();
        put(reduced, user, TOKEN);
        put(reduced, user, CERTIFICATE);
        put(reduced, user, KEY);
        var hasCertificate = reduced.mapping().fields().containsKey(CERTIFICATE);
        if (hasCertificate != reduced.mapping().fields().containsKey(KEY)) {
            throw new Refusal("user has only one of %s and %s".formatted(CERTIFICATE, KEY));
        }
        if (reduced.isEmpty()) {
            throw new Refusal(
                    "user has neither %s nor %s with %s".formatted(TOKEN, CERTIFICATE, KEY));
        }
        return reduced;
    }

    private static void checkFields(String what, Field object, Set<String> known) throws Refusal {
        for (var name : object.entries().keySet()) {
            if (!known.contains(name) && !IGNORED.contains(name)) {
                throw new Refusal(
                        "%s.%s is not followed: commands, files, proxies and other identities of a kubeconfig would be used with the rights of this process; give %s or %s with %s, and %s"
                                .formatted(
                                        what,
                                        name.length() > 40 ? name.substring(0, 40) : name,
                                        TOKEN,
                                        CERTIFICATE,
                                        KEY,
                                        AUTHORITY));
            }
        }
    }

    private static void put(Tree reduced, Field from, String name) {
        var text = text(from.at(name));
        if (!text.isEmpty()) {
            reduced.put(name, text);
        }
    }

    private static String text(Field field) {
        var text = field.textOrNumber();
        return text == null ? "" : text;
    }
}
