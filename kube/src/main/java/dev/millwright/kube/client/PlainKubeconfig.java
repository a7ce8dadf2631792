package dev.millwright.kube.client;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Set;

/// A kubeconfig whose users have their credentials in it, or in files beside it. The library's own
/// reader loads 1,200 classes for it, one for each kind of Kubernetes among them, and they stay.
///
/// Whatever is not as plain is left to the library: plugins and providers of tokens need it anyway,
/// and what is wrong with a file it says in its own way.
final class PlainKubeconfig {

    private static final Set<String> USER_FIELDS =
            Set.of(
                    "client-certificate",
                    "client-certificate-data",
                    "client-key",
                    "client-key-data",
                    "password",
                    "token",
                    "username");

    private final Path directory;

    private PlainKubeconfig(Path directory) {
        this.directory = directory;
    }

    /// Null when it is not plain.
    static @Nullable Config read(Path file) {
        var faults = new Faults();
        try {
            var documents = DocumentReader.readAll(Source.file(file));
            var directory = file.toAbsolutePath().getParent();
            if (documents.size() != 1 || directory == null) {
                return null;
            }
            var root = Field.root("kubeconfig", documents.getFirst(), faults);
            var config = new PlainKubeconfig(directory).config(root);
            return faults.isEmpty() ? config : null;
        } catch (DocumentException unreadable) {
            return null;
        }
    }

    private @Nullable Config config(Field root) {
        var users = root.at("users").elements();
        var isPlain =
                users.stream()
                        .allMatch(
                                each ->
                                        USER_FIELDS.containsAll(
                                                each.at("user").entries().keySet()));
        if (!isPlain) {
            return null;
        }
        var config = new Config();
        config.setCurrentContext(root.at("current-context").textOrNumber());
        config.setContexts(
                root.at("contexts").elements().stream().map(PlainKubeconfig::context).toList());
        config.setClusters(root.at("clusters").elements().stream().map(this::cluster).toList());
        config.setUsers(users.stream().map(this::user).toList());
        return config;
    }

    private static NamedContext context(Field field) {
        var named = new NamedContext();
        named.setName(field.at("name").textOrNumber());
        var inner = field.at("context");
        if (inner.isPresent()) {
            var context = new Context();
            context.setCluster(inner.at("cluster").textOrNumber());
            context.setNamespace(inner.at("namespace").textOrNumber());
            context.setUser(inner.at("user").textOrNumber());
            named.setContext(context);
        }
        return named;
    }

    private NamedCluster cluster(Field field) {
        var named = new NamedCluster();
        named.setName(field.at("name").textOrNumber());
        var inner = field.at("cluster");
        if (inner.isPresent()) {
            var cluster = new Cluster();
            cluster.setServer(inner.at("server").text());
            cluster.setCertificateAuthority(file(inner.at("certificate-authority")));
            cluster.setCertificateAuthorityData(inner.at("certificate-authority-data").text());
            cluster.setInsecureSkipTlsVerify(inner.at("insecure-skip-tls-verify").isTrue());
            cluster.setProxyUrl(inner.at("proxy-url").text());
            cluster.setTlsServerName(inner.at("tls-server-name").text());
            named.setCluster(cluster);
        }
        return named;
    }

    private NamedAuthInfo user(Field field) {
        var named = new NamedAuthInfo();
        named.setName(field.at("name").textOrNumber());
        var inner = field.at("user");
        if (inner.isPresent()) {
            var user = new AuthInfo();
            user.setClientCertificate(file(inner.at("client-certificate")));
            user.setClientCertificateData(inner.at("client-certificate-data").text());
            user.setClientKey(file(inner.at("client-key")));
            user.setClientKeyData(inner.at("client-key-data").text());
            user.setPassword(inner.at("password").textOrNumber());
            user.setToken(inner.at("token").textOrNumber());
            user.setUsername(inner.at("username").textOrNumber());
            named.setUser(user);
        }
        return named;
    }

    /// As kubectl has it, a path counts from where its file lies.
    private @Nullable String file(Field field) {
        var path = field.text();
        return path == null || path.isEmpty() ? path : directory.resolve(path).toString();
    }
}
