package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Locale;

/// What the API server refuses of our kinds, and with which words.
@ExtendWith(CaptServer.Extension.class)
final class CaptRefusalsIT {

    private final CaptServer server;

    CaptRefusalsIT(CaptServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    CAPTCluster | {vpcTemplateRef: {name: v}} | spec.region: Required value
                    CAPTCluster | {region: Frankfurt, vpcTemplateRef: {name: v}} | spec.region: Invalid value
                    CAPTCluster | {region: eu-west-1} | set exactly one of vpcTemplateRef and existingVpcId
                    CAPTCluster | {region: eu-west-1, existingVpcId: ''} | set exactly one of vpcTemplateRef and existingVpcId
                    CAPTCluster | {region: eu-west-1, existingVpcId: vpc-1, vpcTemplateRef: {name: v}} | set exactly one of vpcTemplateRef and existingVpcId
                    CAPTCluster | {region: eu-west-1, existingVpcId: vpc-1, retainVpcOnDelete: true} | spec.retainVpcOnDelete: Invalid value
                    CAPTCluster | {region: eu-west-1, existingVpcId: subnet-1} | spec.existingVpcId: Invalid value
                    CAPTCluster | {region: eu-west-1, vpcTemplateRef: {namespace: ns}} | spec.vpcTemplateRef.name: Required value
                    CAPTCluster | {region: eu-west-1, vpcTemplate: v, existingVpcId: vpc-1} | .spec.vpcTemplate: field not declared in schema
                    CAPTClusterTemplate | {} | spec.template: Required value
                    CAPTClusterTemplate | {template: {spec: {existingVpcId: vpc-1, vpcTemplateRef: {name: v}}}} | vpcTemplateRef and existingVpcId exclude each other
                    CAPTControlPlane | {workspaceTemplateRef: {name: t}} | spec.version: Required value
                    CAPTControlPlane | {version: '1.33'} | spec.workspaceTemplateRef: Required value
                    CAPTControlPlane | {version: latest, workspaceTemplateRef: {name: t}} | spec.version: Invalid value
                    CAPTControlPlane | {version: '1.33', workspaceTemplateRef: {name: t}, controlPlaneConfig: {}} | spec.controlPlaneConfig.region: Required value
                    CAPTControlPlane | {version: '1.33', workspaceTemplateRef: {name: t}, controlPlaneConfig: {region: eu-west-1, timeouts: {vpcReadyTimeout: 0}}} | spec.controlPlaneConfig.timeouts.vpcReadyTimeout: Invalid value
                    CAPTControlPlane | {version: '1.33', workspaceTemplateRef: {name: t}, controlPlaneConfig: {region: eu-west-1, addons: [{version: '1'}]}} | spec.controlPlaneConfig.addons[0].name: Required value
                    CAPTControlPlane | {version: '1.33', workspaceTemplateRef: {name: t}, controlPlaneEndpoint: {host: h, port: 65536}} | spec.controlPlaneEndpoint.port: Invalid value
                    CAPTControlPlaneTemplate | {template: {spec: {}}} | spec.template.spec.workspaceTemplateRef: Required value
                    CaptMachine | {workspaceTemplateRef: {name: t}, instanceType: m7g.large} | spec.nodeGroupRef: Invalid value
                    CaptMachine | {workspaceTemplateRef: {name: t}, nodeGroupRef: {name: g, namespace: ns}} | spec.instanceType: Invalid value
                    CaptMachine | {workspaceTemplateRef: {name: t}, nodeGroupRef: {name: g}, instanceType: m7g.large} | spec.nodeGroupRef.namespace: Required value
                    CaptMachine | {workspaceTemplateRef: {name: t}, nodeType: Lambda} | spec.nodeType: Unsupported value
                    CaptMachine | {nodeType: Fargate} | spec.workspaceTemplateRef: Required value
                    CaptMachineTemplate | {template: {spec: {workspaceTemplateRef: {name: t}}}} | spec.template.spec.nodeType: Required value
                    CaptMachineTemplate | {template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate, scaling: {maxSize: 0}}}} | scaling.maxSize: Invalid value
                    CaptMachinePool | {workspaceTemplateRef: {name: t}, scaling: {minSize: 3, maxSize: 2}} | minSize must not be above maxSize
                    CaptMachinePool | {workspaceTemplateRef: {name: t}, scaling: {desiredSize: 3, maxSize: 2}} | desiredSize must not be above maxSize
                    CaptMachinePool | {workspaceTemplateRef: {name: t}, taints: [{key: k, effect: Never}]} | spec.taints[0].effect: Unsupported value
                    CaptMachineSet | {replicas: 1} | spec.template: Required value
                    CaptMachineSet | {template: {spec: {workspaceTemplateRef: {name: t}}}} | spec.template.spec.nodeGroupRef: Invalid value
                    CaptMachineDeployment | {replicas: -1, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}} | spec.replicas: Invalid value
                    CaptMachineDeployment | {strategy: {type: Blue}, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}} | spec.strategy.type: Unsupported value
                    CaptMachineDeployment | {strategy: {rollingUpdate: {maxSurge: 0}}, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}} | maxSurge and maxUnavailable must not both be 0
                    CaptMachineDeployment | {strategy: {rollingUpdate: {maxSurge: '0%', maxUnavailable: '0%'}}, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}} | maxSurge and maxUnavailable must not both be 0
                    CaptMachineDeployment | {strategy: {rollingUpdate: {maxSurge: few}}, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}} | spec.strategy.rollingUpdate.maxSurge: Invalid value
                    CaptMachineDeployment | {strategy: {rollingUpdate: {maxSurge: -1}}, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}} | spec.strategy.rollingUpdate.maxSurge: Invalid value
                    CaptMachineDeployment | {progressDeadlineSeconds: 0, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}} | spec.progressDeadlineSeconds: Invalid value
                    WorkspaceTemplate | {template: {}} | spec.template.spec: Required value
                    WorkspaceTemplate | {template: {spec: {forProvider: {source: Inline}}}} | spec.template.spec.forProvider.module: Required value
                    WorkspaceTemplateApply | {variables: {a: b}} | spec.templateRef: Required value
                    WorkspaceTemplateApply | {templateRef: {name: t}, variables: {a: 1}} | .spec.variables.a: expected string
                    WorkspaceTemplateApply | {templateRef: {name: t}, waitForWorkspaces: [{namespace: ns}]} | spec.waitForWorkspaces[0].name: Required value
                    Workspace | {forProvider: {source: Disk, module: m}} | spec.forProvider.source: Unsupported value
                    Workspace | {forProvider: {source: Inline, module: m, varFiles: [{source: SecretKey}]}} | source SecretKey needs secretKeyRef
                    Workspace | {forProvider: {source: Inline, module: m, env: [{value: v}]}} | spec.forProvider.env[0].name: Required value
                    Workspace | {forProvider: {source: Inline, module: m}, deletionPolicy: Keep} | spec.deletionPolicy: Unsupported value
                    Workspace | {forProvider: {source: Inline, module: m}, managementPolicies: [Watch]} | spec.managementPolicies[0]: Unsupported value
                    Workspace | {forProvider: {source: Inline, module: m}, writeConnectionSecretToRef: {name: c}} | spec.writeConnectionSecretToRef.namespace: Required value
                    m/Workspace | {forProvider: {source: Inline, module: m}, deletionPolicy: Delete} | .spec.deletionPolicy: field not declared in schema
                    m/Workspace | {forProvider: {source: Inline, module: m}, providerConfigRef: {kind: Secret, name: c}} | spec.providerConfigRef.kind: Unsupported value
                    ProviderConfig | {credentials: [{filename: f, source: InjectedIdentity}]} | spec.credentials[0].source: Unsupported value
                    ProviderConfig | {credentials: [{filename: f, source: Secret}]} | source Secret needs secretRef
                    """)
    void aBadObjectIsRefusedWithWordsThatNameTheField(String kind, String spec, String words) {
        var object = CaptServer.sample(kind, spec);

        assertThatThrownBy(() -> server.dryRun(object)).hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    CAPTCluster | {region: eu-west-1, vpcTemplateRef: {name: v}} | {region: eu-west-2, vpcTemplateRef: {name: v}} | region cannot be changed
                    CAPTCluster | {region: eu-west-1, existingVpcId: vpc-1} | {region: eu-west-1, existingVpcId: vpc-2} | existingVpcId cannot be changed
                    CAPTCluster | {region: eu-west-1, existingVpcId: vpc-1} | {region: eu-west-1, vpcTemplateRef: {name: v}, existingVpcId: ""} | existingVpcId cannot be changed
                    CAPTControlPlane | {version: "1.33", workspaceTemplateRef: {name: t}, controlPlaneConfig: {region: eu-west-1}} | {version: "1.33", workspaceTemplateRef: {name: t}, controlPlaneConfig: {region: eu-west-2}} | region cannot be changed
                    CaptMachine | {workspaceTemplateRef: {name: t}, nodeType: Fargate, providerID: "aws:///a/i-1"} | {workspaceTemplateRef: {name: t}, nodeType: Fargate, providerID: "aws:///a/i-2"} | providerID cannot be changed
                    """)
    void whatMustStayIsRefusedAnotherValue(String kind, String before, String after, String words) {
        var plane = server.plane();
        plane.apply(CaptServer.sample(kind, before));
        try {
            assertThatThrownBy(() -> server.dryRun(CaptServer.sample(kind, after)))
                    .hasMessageContaining(words);
        } finally {
            plane.kubectl("delete", kind.toLowerCase(Locale.ROOT), "sample");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    CAPTCluster | {region: us-gov-west-1, existingVpcId: vpc-1, retainVpcOnDelete: false}
                    CAPTCluster | {region: eu-west-1, existingVpcId: "", vpcTemplateRef: {name: v}, retainVpcOnDelete: true}
                    CAPTClusterTemplate | {template: {spec: {}}}
                    CAPTControlPlane | {version: v1.33.2+build.1, workspaceTemplateRef: {name: t, namespace: ns}}
                    CAPTControlPlaneTemplate | {template: {spec: {workspaceTemplateRef: {name: t}, controlPlaneConfig: {}}}}
                    CaptMachine | {workspaceTemplateRef: {name: t}, nodeType: ManagedNodeGroup, scaling: {minSize: 0, maxSize: 1}, additionalTags: {a: b}}
                    CaptMachineTemplate | {template: {metadata: {labels: {a: b}}, spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}}
                    CaptMachineDeployment | {strategy: {type: Recreate}, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}}
                    CaptMachineDeployment | {rollbackTo: {}, template: {spec: {workspaceTemplateRef: {name: t}, nodeType: Fargate}}}
                    WorkspaceTemplateApply | {templateRef: {name: t}, waitForSecrets: [{name: s}], retainWorkspaceOnDelete: true}
                    Workspace | {forProvider: {source: Flux, module: "GitRepository::ns/name"}, publishConnectionDetailsTo: {name: c, configRef: {name: c}}, providerConfigRef: {name: p, policy: {resolve: Always}}}
                    Workspace | {forProvider: {source: Inline, module: ""}, managementPolicies: []}
                    m/ProviderConfig | {credentials: [{filename: .git-credentials, source: Filesystem, fs: {path: /f}}], pluginCache: false}
                    """)
    void whatOneMayWriteIsTaken(String kind, String spec) {
        var kept = server.dryRun(CaptServer.sample(kind, spec));

        assertThat(kept.getMetadata().getName()).isEqualTo("sample");
    }

    /// Core looks by a dry run what a change would bring; a refusal would stop it.
    @Test
    void aTopologyMayTryOtherTemplates() {
        var other =
                CaptServer.sample(
                                "CAPTClusterTemplate",
                                "{template: {spec: {region: us-east-1, vpcTemplateRef: {name: o}}}}")
                        .replace(
                                "name: sample",
                                "name: eks, annotations: {topology.cluster.x-k8s.io/dry-run: ''}");

        assertThat(server.dryRun(other).getMetadata().getName()).isEqualTo("eks");
    }
}
