"""Clusters and control planes, with the templates a ClusterClass makes them from."""

from schema import (CONTRACTS, age, any_shape, anything, but, choice, column, conditions, definition, fixed, flag,
                    record, records, root, rule, text, text_map, texts, time, whole)
from workspaces import INFRASTRUCTURE, TEMPLATE_REF

CONTROL_PLANE = "controlplane.cluster.x-k8s.io"
REGION = "^[a-z]{2}(-[a-z]+)+-[0-9]+$"
APPLY_NAME = text("Name of the WorkspaceTemplateApply; the controller writes it.")
FAILURE = {
    "failureReason": text("Why it cannot go on, in one word for programs."),
    "failureMessage": text("Why it cannot go on, in words for people."),
}
OBSERVED = whole("Generation of the object that was looked at.", "int64")


def template_of(kind, spec):
    metadata = record(
        f"Labels and annotations of each {kind} made from it.",
        {"labels": text_map("Labels."), "annotations": text_map("Annotations.")},
    )
    return record(
        "What is made from it.",
        {"template": record(f"The {kind} to make.", {"metadata": metadata, "spec": spec}, required=["spec"])},
        required=["template"],
    )


def endpoint():
    return record(
        "Where the API server answers; the controller writes it.",
        {
            "host": text("Name or address, without scheme.", maxLength=512),
            "port": whole("Port.", minimum=0, maximum=65535),
        },
    )


def initialization(field, meaning):
    return record("What core Cluster API waits for, in its newer contract.", {field: flag(meaning)})


def apply_status(meaning, more):
    return record(
        meaning,
        {
            "ready": flag("Whether the workspace is Ready."),
            "lastAppliedRevision": text("Revision that was applied last."),
            "lastFailedRevision": text("Revision that failed last."),
            "lastFailureMessage": text("Why it failed."),
            **more,
        },
    )


HAS_TEMPLATE = "has(self.vpcTemplateRef)"
HAS_VPC = "(has(self.existingVpcId) && self.existingVpcId != '')"
HAD_VPC = HAS_VPC.replace("self.", "oldSelf.")
RETAINS = rule(f"!has(self.retainVpcOnDelete) || !self.retainVpcOnDelete || {HAS_TEMPLATE}",
               "retainVpcOnDelete needs vpcTemplateRef; an existing VPC is never deleted", ".retainVpcOnDelete")


def cluster_spec(is_template):
    """A template may leave to the patches of its ClusterClass what a cluster must say."""
    region = text("AWS region of the cluster.", pattern=REGION)
    vpc = text("VPC that is there already; nothing makes, changes or deletes it.", pattern="^(vpc-[0-9a-z]+)?$")
    if is_template:
        rules = [rule(f"!({HAS_TEMPLATE} && {HAS_VPC})",
                      "vpcTemplateRef and existingVpcId exclude each other; set one of them"), RETAINS]
    else:
        region["x-kubernetes-validations"] = [fixed("region")]
        rules = [
            rule(f"{HAS_TEMPLATE} != {HAS_VPC}", "set exactly one of vpcTemplateRef and existingVpcId"),
            RETAINS,
            rule(f"{HAS_VPC} == {HAD_VPC} && (!{HAS_VPC} || self.existingVpcId == oldSelf.existingVpcId)",
                 "existingVpcId cannot be changed, set or removed later; make a new object", ".existingVpcId"),
        ]
    return record(
        "Region and VPC of the cluster.",
        {
            "region": region,
            "vpcTemplateRef": but(TEMPLATE_REF, description="WorkspaceTemplate that makes the VPC."),
            "existingVpcId": vpc,
            "retainVpcOnDelete": flag("Whether the VPC outlives the cluster."),
            "vpcConfig": record("Settings of a VPC that is made.",
                                {"name": text("Name of the VPC; by default the cluster's, then -vpc.")}),
            "environment": text("Variable environment of the template.", default="production", minLength=1),
            "workspaceTemplateApplyName": APPLY_NAME,
        },
        required=() if is_template else ["region"],
        rules=rules,
    )


def cluster_status():
    return record(
        "The VPC, and how it goes.",
        {
            "ready": flag("Whether the infrastructure is complete, in Cluster API's older contract."),
            "initialization": initialization("provisioned", "Whether the infrastructure is complete."),
            "vpcId": text("Id of the VPC."),
            "vpcWorkspaceName": text("Name of the workspace that makes the VPC."),
            **FAILURE,
            # A map in the older contract and a list in the newer: the server does not turn one into the other.
            "failureDomains": any_shape("Zones of the VPC: a list of {name, controlPlane, attributes}, or for a core "
                                        "that knows v1beta1 alone a map of them by name."),
            "workspaceTemplateStatus": apply_status(
                "State of the apply that makes the VPC.",
                {"workspaceName": text("Name of the workspace."), "lastAppliedTime": time("When it was applied last.")},
            ),
            "conditions": conditions("Ready, VPCReady, VPCFailed, WaitingForCluster, Paused."),
            "observedGeneration": OBSERVED,
        },
    )


def control_plane_spec(is_template):
    config = record(
        "Settings of the EKS cluster.",
        {
            "region": text("AWS region.", pattern=REGION),
            "endpointAccess": record(
                "From where the API server can be reached.",
                {
                    "public": flag("From the internet."),
                    "private": flag("From within the VPC."),
                    "publicCIDRs": texts("Addresses of the internet that may reach it."),
                },
            ),
            "addons": records(
                "EKS add-ons.",
                {
                    "name": text("Name of the add-on.", minLength=1),
                    "version": text("Version of the add-on."),
                    "configurationValues": text("Settings of the add-on, as JSON or YAML."),
                },
                required=["name"],
            ),
            "timeouts": record(
                "How long to wait, in minutes.",
                {
                    "controlPlaneTimeout": whole("For the control plane.", minimum=1, default=30),
                    "vpcReadyTimeout": whole("For the VPC.", minimum=1, default=15),
                },
            ),
        },
        required=() if is_template else ["region"],
    )
    if not is_template:
        config["properties"]["region"]["x-kubernetes-validations"] = [fixed("region")]
    return record(
        "Version and settings of the control plane.",
        {
            "version": text("Kubernetes version, such as 1.33 or v1.33.0; EKS is given major and minor.",
                            pattern=r"^v?[0-9]+\.[0-9]+(\.[0-9]+)?([-+][0-9A-Za-z.+-]+)?$"),
            "workspaceTemplateRef": but(TEMPLATE_REF, description="WorkspaceTemplate that makes the EKS cluster."),
            "controlPlaneConfig": config,
            "additionalTags": text_map("Tags of the AWS resources; variable tags_<key> each."),
            "controlPlaneEndpoint": endpoint(),
            "workspaceTemplateApplyName": APPLY_NAME,
        },
        required=["workspaceTemplateRef"] if is_template else ["version", "workspaceTemplateRef"],
    )


def control_plane_status():
    return record(
        "The EKS cluster, and how it goes.",
        {
            "ready": flag("Whether the control plane is ready, in Cluster API's older contract."),
            "initialized": flag("Whether the API server has answered, in Cluster API's older contract."),
            "initialization": initialization("controlPlaneInitialized", "Whether the API server has answered."),
            "externalManagedControlPlane": flag("Always true: no Node of the cluster runs it."),
            "secretsReady": flag("Whether kubeconfig and CA are there.", default=False),
            "version": text("Kubernetes version that runs."),
            "versions": records(
                "Kubernetes versions that run, the oldest first.",
                {"version": text("Kubernetes version."), "replicas": whole("Number of its API servers.")},
                required=["version"],
            ),
            "phase": choice("Where in its life it is.", "Creating", "Ready", "Failed", "Deleting"),
            **FAILURE,
            "workspaceTemplateStatus": apply_status(
                "State of the apply that makes the EKS cluster.",
                {"state": text("State in one word."),
                 "outputs": anything("Outputs that are not sensitive."),
                 "workspaceName": text("Name of the workspace."),
                 "lastAppliedTime": time("When it was applied last.")},
            ),
            "workspaceStatus": record(
                "State of the workspace that makes the EKS cluster.",
                {
                    "ready": flag("Whether the workspace is Ready."),
                    "state": text("Reason of the workspace's condition Ready."),
                    "atProvider": anything("What the workspace's last run left; its outputs are in it."),
                },
            ),
            "conditions": conditions("Ready, Available, Initialized, Failed, Creating, Paused."),
            "observedGeneration": OBSERVED,
        },
    )


def definitions(labels, contract_labels):
    touched = {"versions": CONTRACTS, "categories": ["cluster-api"], "labels": contract_labels}
    return [
        definition(
            INFRASTRUCTURE, "CAPTCluster", "captclusters",
            root("Infrastructure of a cluster: a VPC that is made or one that is there.", cluster_spec(False),
                 cluster_status()),
            [column("VPC-ID", ".status.vpcId"), column("Ready", ".status.ready", "boolean"), age()], **touched),
        definition(
            INFRASTRUCTURE, "CAPTClusterTemplate", "captclustertemplates",
            root("What a ClusterClass makes a CAPTCluster from.", template_of("CAPTCluster", cluster_spec(True))),
            [age()], **touched),
        definition(
            CONTROL_PLANE, "CAPTControlPlane", "captcontrolplanes",
            root("Control plane of a cluster: an EKS cluster made by Terraform.", control_plane_spec(False),
                 control_plane_status()),
            [column("Ready", ".status.ready", "boolean"), column("Phase", ".status.phase"),
             column("Version", ".spec.version"), column("Endpoint", ".spec.controlPlaneEndpoint.host"), age()],
            **touched),
        definition(
            CONTROL_PLANE, "CAPTControlPlaneTemplate", "captcontrolplanetemplates",
            root("What a ClusterClass makes a CAPTControlPlane from.",
                 template_of("CAPTControlPlane", control_plane_spec(True))),
            [age()], **touched),
    ]
