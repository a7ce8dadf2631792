package dev.millwright.kube.client;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// How to get at an API server: by files of kubectl, or as a pod of the cluster.
public sealed interface KubeAccess {

    /// The first file that has a thing wins, as with kubectl. No context means the current one.
    record Kubeconfig(List<Path> files, @Nullable String context, Proxy proxy)
            implements KubeAccess {
        public Kubeconfig {
            files = List.copyOf(files);
        }

        public static Kubeconfig of(Path file) {
            return new Kubeconfig(List.of(file), null, Proxy.NONE);
        }
    }

    /// `directory` holds the service account's `token`, `ca.crt` and `namespace`.
    record InCluster(String host, int port, Path directory, Proxy proxy) implements KubeAccess {}

    /// A proxy for all hosts but those whose names end so. An empty address means none.
    record Proxy(String address, List<String> except) {

        public static final Proxy NONE = new Proxy("", List.of());

        public Proxy {
            except = List.copyOf(except);
        }

        private static Proxy of(Map<String, String> environment) {
            return new Proxy(
                    either(environment, "HTTPS_PROXY", "https_proxy"),
                    Arrays.stream(COMMA.split(either(environment, "NO_PROXY", "no_proxy"), -1))
                            .map(String::strip)
                            .map(host -> host.startsWith("*") ? host.substring(1) : host)
                            .filter(host -> !host.isEmpty())
                            .toList());
        }

        private static String either(Map<String, String> environment, String one, String other) {
            return environment.getOrDefault(one, environment.getOrDefault(other, ""));
        }
    }

    Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    Pattern COMMA = Pattern.compile(",");

    /// The file that was asked for, else those of `KUBECONFIG`, else the cluster we run in, else
    /// kubectl's own file: the order other controllers have.
    ///
    /// @throws KubeAccessException when there is none of these
    static KubeAccess find(
            Map<String, String> environment, @Nullable Path kubeconfig, @Nullable String context) {
        return find(environment, kubeconfig, context, SERVICE_ACCOUNT);
    }

    static KubeAccess find(
            Map<String, String> environment,
            @Nullable Path kubeconfig,
            @Nullable String context,
            Path serviceAccount) {
        var proxy = Proxy.of(environment);
        if (kubeconfig != null) {
            return new Kubeconfig(List.of(kubeconfig), context, proxy);
        }
        var named = environment.getOrDefault("KUBECONFIG", "");
        if (!named.isEmpty()) {
            return new Kubeconfig(paths(named), context, proxy);
        }
        var host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        if (!host.isEmpty() && context == null && Files.exists(serviceAccount.resolve("token"))) {
            return new InCluster(host, port(environment), serviceAccount, proxy);
        }
        var usual = Path.of(environment.getOrDefault("HOME", "."), ".kube", "config");
        if (!Files.exists(usual)) {
            throw new KubeAccessException(
                    ("no API server: KUBECONFIG is not set, there is no %s, and this is no pod with"
                                    + " a service account; give --kubeconfig, or mount the account's token")
                            .formatted(usual));
        }
        return new Kubeconfig(List.of(usual), context, proxy);
    }

    private static List<Path> paths(String list) {
        return Arrays.stream(list.split(Pattern.quote(System.getProperty("path.separator")), -1))
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .toList();
    }

    private static int port(Map<String, String> environment) {
        var text = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            throw new KubeAccessException(
                    "KUBERNETES_SERVICE_PORT is \"%s\"; wanted a number".formatted(text));
        }
    }
}
