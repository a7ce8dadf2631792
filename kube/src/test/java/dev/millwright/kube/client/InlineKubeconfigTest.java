package dev.millwright.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.client.InlineKubeconfig.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Kubeconfigs of clusters that are not ours.
final class InlineKubeconfigTest {

    private static String kubeconfig(String cluster, String user) {
        return """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: other, context: {cluster: x, user: x}}, {name: c, context: {cluster: k, user: u, namespace: n}}]
        clusters: [{name: k, cluster: %s}]
        users: [{name: u, user: %s}]
        """
                .formatted(cluster, user);
    }

    private static String reduced(String kubeconfig) {
        var answer = InlineKubeconfig.of(kubeconfig.getBytes(UTF_8));
        assertThat(answer).isInstanceOf(Answer.Reduced.class);
        return answer instanceof Answer.Reduced(var bytes) ? new String(bytes, UTF_8) : "";
    }

    private static String refused(String kubeconfig) {
        var answer = InlineKubeconfig.of(kubeconfig.getBytes(UTF_8));
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        return answer instanceof Answer.Refused(var message) ? message : "";
    }

    @Test
    void serverAuthorityAndTokenAreKept() {
        assertThat(
                        reduced(
                                kubeconfig(
                                        "{server: 'https://a:6443', certificate-authority-data: Y2E=, tls-server-name: b}",
                                        "{token: t}")))
                .contains("\"server\":\"https://a:6443\"")
                .contains("\"certificate-authority-data\":\"Y2E=\"")
                .contains("\"tls-server-name\":\"b\"")
                .contains("\"token\":\"t\"");
    }

    @Test
    void aClientCertificateIsKeptWithItsKey() {
        assertThat(
                        reduced(
                                kubeconfig(
                                        "{server: 'https://a'}",
                                        "{client-certificate-data: Yw==, client-key-data: aw==}")))
                .contains("\"client-certificate-data\":\"Yw==\"")
                .contains("\"client-key-data\":\"aw==\"");
    }

    @Test
    void otherClustersAndUsersOfTheFileAreLeftOut() {
        var both =
                kubeconfig("{server: 'https://a'}", "{token: t}")
                        .replace("users: [", "users: [{name: x, user: {exec: {command: sh}}}, ");
        assertThat(reduced(both)).doesNotContain("exec");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, args: [/tmp/x]}} | user.exec
                    {auth-provider: {name: oidc}} | user.auth-provider
                    {tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token} | user.tokenFile
                    {token: t, tokenFile: /etc/passwd} | user.tokenFile
                    {client-certificate: /c, client-key: /k} | user.client-
                    {client-certificate-data: Yw==, client-key: /k} | user.client-key
                    {username: a, password: b} | user.
                    {token: t, as: admin} | user.as
                    {token: t, Exec: {command: sh}} | user.Exec
                    {client-certificate-data: Yw==} | only one of
                    {} | neither token nor
                    """)
    void aUserThatNeedsMoreThanTheFileIsRefused(String user, String words) {
        assertThat(refused(kubeconfig("{server: 'https://a'}", user))).contains(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {server: 'http://a'} | https://
                    {server: 'https://user:pass@a'} | https://
                    {server: 'file:///etc/passwd'} | https://
                    {server: ''} | https://
                    {server: 'https://a', certificate-authority: /ca.crt} | cluster.certificate-authority
                    {server: 'https://a', proxy-url: 'http://p'} | cluster.proxy-url
                    {server: 'https://a', insecure-skip-tls-verify: true} | insecure-skip-tls-verify
                    """)
    void aServerThatCannotBeTrustedIsRefused(String cluster, String words) {
        assertThat(refused(kubeconfig(cluster, "{token: t}"))).contains(words);
    }

    @Test
    void aFileThatNamesNoContextOfItsIsRefused() {
        assertThat(refused("apiVersion: v1\nkind: Config\n")).contains("current-context");
        assertThat(refused("current-context: c\ncontexts: []\n")).contains("none of its contexts");
    }

    @Test
    void whatIsNoYamlIsRefusedWithoutItsWords() {
        assertThat(refused("secret: [")).doesNotContain("secret");
    }
}
