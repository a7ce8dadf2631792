package dev.millwright.capi.stage;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/// Kubeconfigs with credentials of several kinds.
public final class Kubeconfigs {

    private Kubeconfigs() {}

    /// The token that EKS takes: a signed address, good for a quarter of an hour.
    public static String eks(Instant signedAt) {
        var date =
                DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'")
                        .withZone(ZoneOffset.UTC)
                        .format(signedAt);
        return token(
                "k8s-aws-v1."
                        + packed(
                                "https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity&X-Amz-Date=%s&X-Amz-Expires=60"
                                        .formatted(date)));
    }

    public static String webToken(Instant issuedAt, Instant until) {
        return token(
                "%s.%s.c2ln"
                        .formatted(
                                packed("{\"alg\":\"RS256\"}"),
                                packed(
                                        "{\"iat\":%d,\"exp\":%d}"
                                                .formatted(
                                                        issuedAt.getEpochSecond(),
                                                        until.getEpochSecond()))));
    }

    /// Of a client that fetches its token itself.
    public static String exec() {
        return kubeconfig("exec: {apiVersion: client.authentication.k8s.io/v1, command: aws}");
    }

    public static String token(String token) {
        return kubeconfig("token: " + token);
    }

    private static String kubeconfig(String user) {
        return """
                apiVersion: v1
                kind: Config
                current-context: prod
                clusters: [{name: prod, cluster: {server: "https://127.0.0.1"}}]
                contexts: [{name: prod, context: {cluster: prod, user: prod}}]
                users:
                  - name: prod
                    user:
                      %s
                """
                .formatted(user);
    }

    private static String packed(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
