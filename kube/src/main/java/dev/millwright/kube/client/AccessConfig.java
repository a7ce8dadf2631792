package dev.millwright.kube.client;

import dev.millwright.kube.time.Ticker;

import io.fabric8.kubernetes.client.Config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Turns a way of access into what the wire is made from. All that can be wrong with it is said
/// here, by file and context, and not by a refused request later.
final class AccessConfig {

    private AccessConfig() {}

    /// @throws KubeAccessException when a file is missing, unreadable or incomplete
    static Config of(KubeAccess access, Ticker ticker) {
        return switch (access) {
            case KubeAccess.Kubeconfig kubeconfig -> ofFiles(kubeconfig);
            case KubeAccess.InCluster inCluster -> ofServiceAccount(inCluster, ticker);
        };
    }

    private static Config ofFiles(KubeAccess.Kubeconfig access) {
        var config = KubeconfigFiles.read(access).config();
        if (config.getHttpsProxy() == null) {
            setProxy(config, access.proxy());
        }
        return config;
    }

    private static Config ofServiceAccount(KubeAccess.InCluster access, Ticker ticker) {
        var directory = access.directory();
        var authority = directory.resolve("ca.crt");
        if (!Files.isReadable(authority)) {
            throw new KubeAccessException(
                    "service account: %s cannot be read; mount the account's volume, or give a kubeconfig"
                            .formatted(authority));
        }
        var host = access.host().contains(":") ? "[" + access.host() + "]" : access.host();
        var config = Config.empty();
        config.setMasterUrl("https://%s:%d".formatted(host, access.port()));
        config.setCaCertFile(authority.toString());
        config.setOauthTokenProvider(new TokenFile(directory.resolve("token"), ticker));
        config.setNamespace(namespace(directory.resolve("namespace")));
        setProxy(config, access.proxy());
        return config;
    }

    private static String namespace(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            return "default"; // As everywhere, where nobody said.
        }
    }

    private static void setProxy(Config config, KubeAccess.Proxy proxy) {
        if (!proxy.address().isEmpty()) {
            config.setHttpsProxy(proxy.address());
            config.setNoProxy(proxy.except().toArray(String[]::new));
        }
    }
}
