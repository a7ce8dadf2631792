package dev.millwright.testing.e2e.terraform;

import dev.millwright.kube.document.Tree;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/// Control planes that stand in for EKS's.
public final class Planes {

    private Planes() {}

    /// Its API server takes the tokens that Terraform's provider signs for EKS.
    ///
    /// @param directory for a file that the API server reads
    public static ControlPlane forTokensOf(AwsEndpoint endpoint, Path directory, String name)
            throws IOException {
        var webhook =
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: aws, cluster: {server: "%s"}}]
                users: [{name: api, user: {}}]
                contexts: [{name: aws, context: {cluster: aws, user: api}}]
                current-context: aws
                """
                        .formatted(endpoint.tokenReviews());
        var file = Files.writeString(directory.resolve(name + "-webhook.yaml"), webhook);
        return ControlPlane.start(
                ControlPlane.Options.all()
                        .withApiServerFlags("--authentication-token-webhook-config-file=" + file));
    }

    /// What EKS tells of a cluster that is this one.
    public static Tree facts(ControlPlane plane) throws IOException {
        return Tree.of("endpoint", plane.server().toString())
                .put("certificateAuthority", Tree.of("data", authority(plane)));
    }

    static String authority(ControlPlane plane) throws IOException {
        var file = plane.kubeconfig().resolveSibling("pki").resolve("ca.crt");
        return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    }
}
