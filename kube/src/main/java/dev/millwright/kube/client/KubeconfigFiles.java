package dev.millwright.kube.client;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The files of kubectl, read and found whole. The library takes a context that is not there for
/// the current one, and a plugin that fails for no credential; here both are errors.
final class KubeconfigFiles {

    private final List<Config> files;
    private final String place;
    private final NamedContext context;
    private final String where;

    private KubeconfigFiles(List<Config> files, String place, NamedContext context) {
        this.files = files;
        this.place = place;
        this.context = context;
        this.where = "kubeconfig %s, context \"%s\"".formatted(place, context.getName());
    }

    /// @throws KubeAccessException when a file cannot be read or has no such context
    static KubeconfigFiles read(KubeAccess.Kubeconfig access) {
        var files = access.files().stream().map(KubeconfigFiles::parsed).toList();
        var place = access.files().stream().map(Path::toString).collect(Collectors.joining(", "));
        var current = each(files, file -> List.of(text(file.getCurrentContext())));
        var asked = access.context();
        var wanted =
                asked != null
                        ? asked
                        : current.filter(name -> !name.isEmpty()).findFirst().orElse("");
        var contexts = each(files, Config::getContexts).toList();
        var known = contexts.stream().map(NamedContext::getName).sorted().distinct().toList();
        if (wanted.isEmpty()) {
            throw new KubeAccessException(
                    "kubeconfig %s: has no current-context; choose one of %s"
                            .formatted(place, known));
        }
        var context =
                contexts.stream()
                        .filter(each -> wanted.equals(each.getName()) && each.getContext() != null)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new KubeAccessException(
                                                "kubeconfig %s: context \"%s\" is unknown; choose one of %s"
                                                        .formatted(place, wanted, known)));
        return new KubeconfigFiles(files, place, context);
    }

    /// Without the parser's own words: they may quote a token.
    private static Config parsed(Path file) {
        if (!Files.exists(file)) {
            throw new KubeAccessException(
                    "kubeconfig %s: there is no such file; give another, or set KUBECONFIG"
                            .formatted(file));
        }
        var plain = PlainKubeconfig.read(file);
        if (plain != null) {
            return plain;
        }
        try {
            return KubeConfigUtils.parseConfig(file.toFile());
        } catch (RuntimeException unreadable) {
            throw new KubeAccessException(
                    "kubeconfig %s: cannot be read as one; see what kubectl config view says of it"
                            .formatted(file));
        }
    }

    private static <T> Stream<T> each(List<Config> files, Function<Config, Collection<T>> part) {
        return files.stream()
                .flatMap(file -> Stream.ofNullable(part.apply(file)))
                .flatMap(Collection::stream)
                .filter(Objects::nonNull);
    }

    private static String text(String mayBeNull) {
        return Objects.requireNonNullElse(mayBeNull, "");
    }

    /// What the wire is made from, with the credentials that plugins gave.
    ///
    /// @throws KubeAccessException when the context's cluster or user is missing or of no use
    io.fabric8.kubernetes.client.Config config() {
        var cluster = cluster();
        var user = user();
        var config = io.fabric8.kubernetes.client.Config.empty();
        KubeConfigUtils.merge(config, context.getName(), files.toArray(Config[]::new));
        if (!text(cluster.getTlsServerName()).isEmpty()) {
            throw new KubeAccessException(
                    "%s: the cluster sets tls-server-name, which this client cannot; give a server whose certificate has its own name"
                            .formatted(where));
        }
        var plugin = user.getExec();
        if (plugin != null
                && text(config.getAutoOAuthToken()).isEmpty()
                && text(config.getClientCertData()).isEmpty()
                && text(config.getClientCertFile()).isEmpty()) {
            throw new KubeAccessException(
                    "%s: the plugin %s gave no credential; run it by hand to see why"
                            .formatted(where, plugin.getCommand()));
        }
        return config;
    }

    private Cluster cluster() {
        var name = text(context.getContext().getCluster());
        var cluster =
                each(files, Config::getClusters)
                        .filter(each -> name.equals(each.getName()))
                        .map(NamedCluster::getCluster)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElseThrow(() -> lacks("cluster", name));
        if (text(cluster.getServer()).isEmpty()) {
            throw new KubeAccessException(
                    "%s: cluster \"%s\" has no server; wanted one such as https://host:6443"
                            .formatted(where, name));
        }
        return cluster;
    }

    private AuthInfo user() {
        var name = text(context.getContext().getUser());
        if (name.isEmpty()) {
            return new AuthInfo(); // Nobody: a server on the same machine may allow it.
        }
        return each(files, Config::getUsers)
                .filter(each -> name.equals(each.getName()))
                .map(NamedAuthInfo::getUser)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> lacks("user", name));
    }

    private KubeAccessException lacks(String part, String name) {
        return new KubeAccessException(
                "%s: names the %s \"%s\", which %s lacks; add it or choose another context"
                        .formatted(where, part, name, place));
    }
}
