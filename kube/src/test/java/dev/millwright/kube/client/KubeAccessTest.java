package dev.millwright.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.time.Ticker;

import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

final class KubeAccessTest {

    private static final String WHOLE =
            """
            current-context: dev
            contexts:
              - {name: dev, context: {cluster: one, user: me, namespace: shop}}
              - {name: prod, context: {cluster: two, user: me}}
              - {name: homeless, context: {cluster: gone, user: me}}
              - {name: nobody, context: {cluster: one, user: gone}}
              - {name: renamed, context: {cluster: named, user: me}}
              - {name: plugged, context: {cluster: one, user: plugged}}
            clusters:
              - {name: one, cluster: {server: "https://127.0.0.1:1"}}
              - {name: two, cluster: {server: "https://127.0.0.1:2"}}
              - {name: named, cluster: {server: "https://127.0.0.1:3", tls-server-name: x}}
            users:
              - {name: me, user: {token: very-secret}}
              - name: plugged
                user:
                  exec:
                    apiVersion: client.authentication.k8s.io/v1
                    command: "false"
                    args: [--password, very-secret]
            """;

    private @TempDir Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private io.fabric8.kubernetes.client.Config config(String context) throws IOException {
        var file = file("config", WHOLE);
        return AccessConfig.of(
                new KubeAccess.Kubeconfig(List.of(file), context, KubeAccess.Proxy.NONE),
                Ticker.system());
    }

    private Path serviceAccount() throws IOException {
        file("token", "first\n");
        file("ca.crt", "pem");
        file("namespace", "kube-system");
        return directory;
    }

    @Test
    void theCurrentContextIsTakenUnlessOneIsNamed() throws IOException {
        assertThat(config(null).getMasterUrl()).isEqualTo("https://127.0.0.1:1/");
        assertThat(config(null).getNamespace()).isEqualTo("shop");
        assertThat(config("prod").getMasterUrl()).isEqualTo("https://127.0.0.1:2/");
    }

    @Test
    void certificatesAreLookedForBesideTheirFile() throws IOException {
        var file =
                file(
                        "beside",
                        """
                        current-context: dev
                        contexts: [{name: dev, context: {cluster: one, user: me}}]
                        clusters: [{name: one, cluster: {server: "https://127.0.0.1:1", certificate-authority: pki/ca.crt}}]
                        users: [{name: me, user: {client-certificate: me.crt, client-key: /keys/me.key}}]
                        """);

        var config = AccessConfig.of(KubeAccess.Kubeconfig.of(file), Ticker.system());

        assertThat(config.getCaCertFile()).isEqualTo(directory.resolve("pki/ca.crt").toString());
        assertThat(config.getClientCertFile()).isEqualTo(directory.resolve("me.crt").toString());
        assertThat(config.getClientKeyFile()).isEqualTo("/keys/me.key");
    }

    @Test
    void aPlainFileIsReadAsTheLibraryReadsIt() throws IOException {
        var text =
                """
                apiVersion: v1
                kind: Config
                preferences: {}
                current-context: dev
                contexts:
                  - {name: dev, context: {cluster: one, user: 7, namespace: shop, extensions: []}}
                  - {name: empty}
                clusters:
                  - name: one
                    cluster:
                      server: https://127.0.0.1:1
                      certificate-authority-data: YQ==
                      insecure-skip-tls-verify: true
                      proxy-url: http://127.0.0.1:2
                      extensions: [{name: x, extension: {version: v1}}]
                users:
                  - {name: 7, user: {username: me, password: 1234, token: t}}
                  - {name: other, user: {client-certificate-data: Yg==, client-key-data: Yw==}}
                """;
        var file = file("plain", text);

        var plain = PlainKubeconfig.read(file);

        assertThat(plain).isNotNull();
        assertThat(merged(plain))
                .usingRecursiveComparison()
                .isEqualTo(merged(KubeConfigUtils.parseConfigFromString(text)));
    }

    private static io.fabric8.kubernetes.client.Config merged(Config file) {
        var config = io.fabric8.kubernetes.client.Config.empty();
        KubeConfigUtils.merge(config, "dev", file);
        config.setContexts(List.of());
        config.setCurrentContext(null);
        return config;
    }

    @Test
    void whatIsNotPlainIsLeftToTheLibrary() throws IOException {
        assertThat(PlainKubeconfig.read(file("config", WHOLE))).isNull();
        assertThat(PlainKubeconfig.read(file("broken", "users: very-secret"))).isNull();
        assertThat(PlainKubeconfig.read(file("two", "a: 1\n---\na: 2\n"))).isNull();
    }

    @Test
    void anUnknownContextIsAnErrorThatListsThoseThereAre() {
        assertThatThrownBy(() -> config("pord"))
                .isInstanceOf(KubeAccessException.class)
                .hasMessageContaining("config: context \"pord\" is unknown")
                .hasMessageContaining("[dev, homeless, nobody, plugged, prod, renamed]");
    }

    @Test
    void aContextWhoseClusterOrUserIsMissingIsAnError() {
        assertThatThrownBy(() -> config("homeless"))
                .hasMessageContaining("context \"homeless\": names the cluster \"gone\"");
        assertThatThrownBy(() -> config("nobody"))
                .hasMessageContaining("context \"nobody\": names the user \"gone\"");
    }

    @Test
    void aServerNameOfItsOwnIsRefusedRatherThanIgnored() {
        assertThatThrownBy(() -> config("renamed")).hasMessageContaining("tls-server-name");
    }

    @Test
    void aPluginThatGivesNothingIsAnErrorWithoutItsArguments() {
        assertThatThrownBy(() -> config("plugged"))
                .isInstanceOf(KubeAccessException.class)
                .hasMessageContaining("context \"plugged\": the plugin false gave no credential")
                .hasMessageNotContaining("very-secret");
    }

    @Test
    void aFileThatIsMissingOrNoKubeconfigIsNamed() throws IOException {
        var missing = KubeAccess.Kubeconfig.of(directory.resolve("nothing"));
        assertThatThrownBy(() -> AccessConfig.of(missing, Ticker.system()))
                .isInstanceOf(KubeAccessException.class)
                .hasMessageContaining("nothing: there is no such file");

        var broken = KubeAccess.Kubeconfig.of(file("broken", "users: very-secret"));
        assertThatThrownBy(() -> AccessConfig.of(broken, Ticker.system()))
                .isInstanceOf(KubeAccessException.class)
                .hasMessageContaining("broken: cannot be read as one")
                .hasMessageNotContaining("very-secret")
                .hasNoCause();
    }

    @Test
    void aFileWithoutACurrentContextAsksForOne() throws IOException {
        var file = file("config", WHOLE.replace("current-context: dev\n", ""));

        assertThatThrownBy(() -> AccessConfig.of(KubeAccess.Kubeconfig.of(file), Ticker.system()))
                .hasMessageContaining("has no current-context; choose one of [dev,");
    }

    @Test
    void theFileAskedForComesFirstThenTheEnvironmentThenTheClusterThenTheHome() throws IOException {
        var account = serviceAccount();
        var home = directory.resolve("home");
        Files.createDirectories(home.resolve(".kube"));
        var usual = Files.writeString(home.resolve(".kube/config"), WHOLE);
        var pod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "443");

        assertThat(KubeAccess.find(Map.of("KUBECONFIG", "/b"), Path.of("/a"), "dev", account))
                .isEqualTo(
                        new KubeAccess.Kubeconfig(
                                List.of(Path.of("/a")), "dev", KubeAccess.Proxy.NONE));
        assertThat(KubeAccess.find(Map.of("KUBECONFIG", "/b:/c"), null, null, account))
                .isEqualTo(
                        new KubeAccess.Kubeconfig(
                                List.of(Path.of("/b"), Path.of("/c")),
                                null,
                                KubeAccess.Proxy.NONE));
        assertThat(KubeAccess.find(pod, null, null, account))
                .isEqualTo(
                        new KubeAccess.InCluster("10.0.0.1", 443, account, KubeAccess.Proxy.NONE));
        assertThat(KubeAccess.find(Map.of("HOME", home.toString()), null, null, account))
                .isEqualTo(KubeAccess.Kubeconfig.of(usual));
        assertThatThrownBy(() -> KubeAccess.find(Map.of("HOME", "/nowhere"), null, null, account))
                .isInstanceOf(KubeAccessException.class)
                .hasMessageContaining("there is no /nowhere/.kube/config");
    }

    @Test
    void aPodTrustsItsClusterAndReadsItsTokenAgainEachMinute() throws IOException {
        var now = new long[1];
        var account = serviceAccount();
        var access = new KubeAccess.InCluster("fd00::1", 443, account, KubeAccess.Proxy.NONE);

        var config = AccessConfig.of(access, () -> now[0]);
        var token = config.getOauthTokenProvider();

        assertThat(config.getMasterUrl()).isEqualTo("https://[fd00::1]:443/");
        assertThat(config.getNamespace()).isEqualTo("kube-system");
        assertThat(token.getToken()).isEqualTo("first");
        file("token", "second\n");
        assertThat(token.getToken()).isEqualTo("first");
        now[0] = Duration.ofSeconds(61).toNanos();
        assertThat(token.getToken()).isEqualTo("second");
    }

    @Test
    void aTokenThatVanishesServesOnUntilThereIsANewOne() throws IOException {
        var now = new long[1];
        var account = serviceAccount();
        var access = new KubeAccess.InCluster("h", 443, account, KubeAccess.Proxy.NONE);
        var token = AccessConfig.of(access, () -> now[0]).getOauthTokenProvider();

        Files.delete(account.resolve("token"));
        now[0] = Duration.ofSeconds(61).toNanos();

        assertThat(token.getToken()).isEqualTo("first");
    }

    @Test
    void aProxyComesFromTheEnvironmentAndIsPassedByForItsExceptions() throws IOException {
        var file = file("config", WHOLE);
        var access =
                KubeAccess.find(
                        Map.of("HTTPS_PROXY", "http://127.0.0.1:3128", "no_proxy", "*.svc, a"),
                        file,
                        null);

        var config = AccessConfig.of(access, Ticker.system());

        assertThat(config.getHttpsProxy()).isEqualTo("http://127.0.0.1:3128");
        assertThat(config.getNoProxy()).containsExactly(".svc", "a");
    }
}
