package dev.millwright.capi.stage;

/// Objects as users write them.
public final class Sample {

    /// An EKS cluster with its own VPC, as `clusterctl generate cluster` leaves it.
    public static final String CLUSTER =
            """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {name: prod, namespace: team}
            spec:
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CAPTCluster, name: prod}
              controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: CAPTControlPlane, name: prod}
            """;

    public static final String CAPT_CLUSTER =
            """
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: CAPTCluster
            metadata: {name: prod, namespace: team}
            spec:
              region: eu-west-1
              vpcTemplateRef: {name: vpc}
            """;

    public static final String CONTROL_PLANE =
            """
            apiVersion: controlplane.cluster.x-k8s.io/v1beta1
            kind: CAPTControlPlane
            metadata: {name: prod, namespace: team}
            spec:
              version: v1.33.4
              workspaceTemplateRef: {name: eks}
              controlPlaneConfig:
                region: eu-west-1
                endpointAccess: {public: true, private: false, publicCIDRs: [203.0.113.0/24]}
                addons: [{name: coredns, configurationValues: '{"replicaCount": 2}'}]
              additionalTags: {team: blue}
            """;

    public static final String TEMPLATES =
            template("vpc")
                    + "---\n"
                    + template("eks")
                    + "---\n"
                    + template("eks-kubeconfig-template");

    private Sample() {}

    public static String template(String name) {
        return """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplate
                metadata: {name: %s, namespace: team}
                spec:
                  template:
                    metadata: {description: a test}
                    spec:
                      providerConfigRef: {name: aws}
                      forProvider:
                        source: Inline
                        module: 'output "name" { value = "${cluster_name}-${local.suffix}" }'
                        vars:
                          - {key: version, value: '${kubernetes_version}'}
                          - {key: name, value: 'a-${cluster_name}-${other}'}
                      writeConnectionSecretToRef: {name: '${WORKSPACE_NAME}-out', namespace: team}
                """
                .formatted(name);
    }

    /// Of the template `vpc`, with more of its spec behind these lines.
    public static String apply(String name, String... lines) {
        return """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplateApply
                metadata: {name: %s, namespace: team}
                spec:
                  templateRef: {name: vpc}
                  %s
                """
                .formatted(name, String.join("\n  ", lines));
    }
}
