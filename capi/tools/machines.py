"""Machines, their sets and deployments, node groups as pools, and the templates of Cluster API."""

from clusters import FAILURE, OBSERVED, initialization, template_of
from schema import (CONTRACTS, age, but, choice, column, condition_column, conditions, count, definition, fixed, flag,
                    record, records, root, rule, text, text_map, texts, time, whole, whole_or_text)
from workspaces import INFRASTRUCTURE, TEMPLATE_REF

PROVIDER_ID = text("Id of the instance as its Node has it; the controller writes it.", maxLength=512)


def node_type(meaning, **rest):
    return choice(meaning, "ManagedNodeGroup", "Fargate", **rest)


def scaling():
    def at_most(small, large):
        return rule(f"!has(self.{small}) || !has(self.{large}) || self.{small} <= self.{large}",
                    f"{small} must not be above {large}", f".{small}")

    return record(
        "Size of the node group.",
        {
            "minSize": count("Fewest nodes."),
            "maxSize": whole("Most nodes.", minimum=1),
            "desiredSize": count("Nodes to begin with."),
        },
        rules=[at_most("minSize", "maxSize"), at_most("minSize", "desiredSize"), at_most("desiredSize", "maxSize")],
    )


def taints():
    # Terraform's modules take EKS's spelling, everybody else Kubernetes'.
    effects = ["NoSchedule", "PreferNoSchedule", "NoExecute", "NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE"]
    return records(
        "Taints of the nodes.",
        {
            "key": text("Key of the taint.", minLength=1),
            "value": text("Value of the taint."),
            "effect": choice("What it does to pods that do not tolerate it.", *effects),
            "timeAdded": time("When it was added; not looked at."),
        },
        required=["key", "effect"],
    )


def group_fields():
    """What describes a node group, in machines, pools and templates alike."""
    return {
        "workspaceTemplateRef": TEMPLATE_REF,
        "instanceType": text("EC2 instance type.", minLength=1),
        "scaling": scaling(),
        "labels": text_map("Labels of the nodes."),
        "taints": taints(),
        "additionalTags": text_map("Tags of the AWS resources."),
    }


def node_group_ref():
    return record(
        "Node group that the machine belongs to.",
        {"name": text("Name of the node group.", minLength=1), "namespace": text("Its namespace.", minLength=1)},
        required=["name", "namespace"],
    )


MACHINE_RULES = [
    rule("has(self.nodeGroupRef) || has(self.nodeType)", "nodeGroupRef may be left out only when nodeType is set",
         ".nodeGroupRef"),
    rule("has(self.instanceType) || has(self.nodeType)", "instanceType may be left out only when nodeType is set",
         ".instanceType"),
]
PROVIDER_ID_STAYS = rule(
    "!has(oldSelf.providerID) || oldSelf.providerID == '' || has(self.providerID) "
    "&& self.providerID == oldSelf.providerID",
    "providerID cannot be changed once it is set", ".providerID")


def machine_fields():
    return {
        **group_fields(),
        "nodeGroupRef": node_group_ref(),
        "nodeType": node_type("What is made: a managed node group or a Fargate profile."),
        "tags": text_map("Tags of the instance."),
        "failureDomain": text("Zone to be in; the Machine's own when it is left out."),
    }


def machine_spec():
    fields = {**machine_fields(), "providerID": PROVIDER_ID}
    return record("The machine.", fields, required=["workspaceTemplateRef"],
                  rules=[*MACHINE_RULES, PROVIDER_ID_STAYS])


def machine_template_spec():
    return record("The machine.", machine_fields(), required=["workspaceTemplateRef", "nodeType"])


def pool_spec(is_template):
    fields = {
        **group_fields(),
        "nodeType": node_type("What is made: a managed node group or a Fargate profile.",
                              default="ManagedNodeGroup"),
    }
    if not is_template:
        fields["providerID"] = text("Id of the node group; the controller writes it.", maxLength=512)
        fields["providerIDList"] = texts("Ids of all its instances as their Nodes have them; the controller writes "
                                         "them.", {"minLength": 1, "maxLength": 512}, maxItems=10000)
    return record("The node group.", fields, required=["workspaceTemplateRef"])


def addresses():
    return records(
        "Addresses of the machine.",
        {
            "type": choice("Kind of address.", "Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"),
            "address": text("The address."),
        },
        required=["type", "address"],
    )


PROVISIONED = initialization("provisioned", "Whether the infrastructure is complete.")


def machine_status():
    return record(
        "The instance, and how it goes.",
        {
            "ready": flag("Whether the machine is complete, in Cluster API's older contract."),
            "initialization": PROVISIONED,
            "instanceId": text("Id of the instance."),
            "privateIp": text("Address of the instance within the VPC."),
            "addresses": addresses(),
            "failureDomain": text("Zone that the instance is in."),
            "lastTransitionTime": time("When ready changed last."),
            **FAILURE,
            "workspaceTemplateApplyName": text("Name of the WorkspaceTemplateApply."),
            "conditions": conditions("Ready, Paused."),
            "observedGeneration": OBSERVED,
        },
    )


def pool_status():
    return record(
        "The node group, and how it goes.",
        {
            "ready": flag("Whether the node group is complete, in Cluster API's older contract."),
            "initialization": PROVISIONED,
            "replicas": count("Nodes there are."),
            "infrastructureMachineKind": text("Kind of the object each instance has, if they have one."),
            "instances": records(
                "Instances of the node group.",
                {
                    "instanceName": text("Name of the instance."),
                    "instanceID": text("Id of the instance."),
                    "providerID": text("Id of the instance as its Node has it."),
                    "addresses": addresses(),
                    "version": text("Version of its kubelet."),
                    "ready": flag("Whether it is ready."),
                },
            ),
            **FAILURE,
            "conditions": conditions("Ready, Paused."),
            "observedGeneration": OBSERVED,
        },
    )


def selector():
    return record(
        "Which machines belong to it; the template's labels when it is left out.",
        {
            "matchLabels": text_map("Labels that a machine must have."),
            "matchExpressions": records(
                "Demands on labels.",
                {
                    "key": text("Key of the label."),
                    "operator": choice("How it is compared.", "In", "NotIn", "Exists", "DoesNotExist"),
                    "values": texts("Values to compare with."),
                },
                required=["key", "operator"],
            ),
        },
        **{"x-kubernetes-map-type": "atomic"},
    )


def made_machine():
    metadata = record(
        "Labels and annotations of the machines.",
        {"labels": text_map("Labels."), "annotations": text_map("Annotations.")},
    )
    spec = record("The machine.", machine_fields(), required=["workspaceTemplateRef"], rules=MACHINE_RULES)
    return record("Machine to make.", {"metadata": metadata, "spec": spec}, required=["spec"])


REPLICAS = count("Machines there shall be.", default=1)
SELECTOR_TEXT = text("The selector as text, for what scales it.")


def set_status():
    return record(
        "The machines, and how they go.",
        {
            "replicas": count("Machines there are.", default=0),
            "fullyLabeledReplicas": count("Machines with all labels of the template."),
            "readyReplicas": count("Machines that are ready."),
            "availableReplicas": count("Machines that have been ready for long enough."),
            "selector": SELECTOR_TEXT,
            **FAILURE,
            "conditions": conditions("Ready, Paused."),
            "observedGeneration": OBSERVED,
        },
    )


def strategy():
    def share(meaning, least, default):
        return whole_or_text(meaning, default=default, pattern="^[0-9]+%$", minimum=least)

    rolling = record(
        "How far a rolling update goes at a time.",
        {
            "maxUnavailable": share("How many machines may be missing; a percentage is rounded down.", 0, 0),
            "maxSurge": share("How many machines there may be in excess; a percentage is rounded up.", 0, 1),
        },
        rules=[rule("!((self.maxUnavailable == 0 || self.maxUnavailable == '0%') "
                    "&& (self.maxSurge == 0 || self.maxSurge == '0%'))",
                    "maxSurge and maxUnavailable must not both be 0; nothing could ever be replaced", ".maxSurge")],
    )
    return record(
        "How machines are replaced when the template changes.",
        {"type": choice("One after another, or all at once.", "RollingUpdate", "Recreate", default="RollingUpdate"),
         "rollingUpdate": rolling},
        default={},
    )


def deployment_spec():
    return record(
        "The machines, and how they are replaced.",
        {
            "replicas": REPLICAS,
            "selector": selector(),
            "template": made_machine(),
            "strategy": strategy(),
            "minReadySeconds": count("How long a machine must be ready before it counts."),
            "revisionHistoryLimit": count("How many old sets are kept to roll back to.", default=10),
            "paused": flag("Whether changes wait."),
            "progressDeadlineSeconds": whole("How long an update may stand still before it is called failed.",
                                             minimum=1, default=600),
            "rollbackTo": record(
                "Template to go back to. The controller removes the field when it has done so.",
                {"revision": whole("Revision to go back to; 0 is the one before.", "int64", minimum=0, default=0)},
            ),
        },
        required=["template"],
    )


def deployment_status():
    return record(
        "The machines, and how the update goes.",
        {
            "replicas": count("Machines there are.", default=0),
            "updatedReplicas": count("Machines made from the template as it is now."),
            "readyReplicas": count("Machines that are ready."),
            "availableReplicas": count("Machines that have been ready for long enough."),
            "unavailableReplicas": count("Machines that are still missing."),
            "collisionCount": count("How often a set's name was taken already."),
            "selector": SELECTOR_TEXT,
            **FAILURE,
            "conditions": conditions("Ready, Available, Progressing, Paused."),
            "observedGeneration": OBSERVED,
        },
    )


def template_status():
    return record(
        "What a node will have, for scaling from zero.",
        {
            "capacity": {
                "description": "Resources of a node.",
                "type": "object",
                "additionalProperties": {"x-kubernetes-int-or-string": True},
            },
            "nodeInfo": record(
                "What a node runs.",
                {
                    "architecture": choice("Processor.", "amd64", "arm64", "s390x", "ppc64le"),
                    "operatingSystem": text("Operating system."),
                },
            ),
            "conditions": conditions("State of the template."),
        },
    )


def definitions(labels, contract_labels):
    touched = {"versions": CONTRACTS, "categories": ["cluster-api"], "labels": contract_labels}
    scale = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
             "labelSelectorPath": ".status.selector"}
    return [
        definition(
            INFRASTRUCTURE, "CaptMachine", "captmachines",
            root("A machine made by Terraform.", machine_spec(), machine_status()),
            [column("Ready", ".status.ready", "boolean"), column("Instance ID", ".status.instanceId"),
             column("Node Group", ".spec.nodeGroupRef.name"), age()], **touched),
        definition(
            INFRASTRUCTURE, "CaptMachineTemplate", "captmachinetemplates",
            root("What machines are made from.", template_of("CaptMachine", machine_template_spec()),
                 template_status()),
            [age()], **touched),
        definition(
            INFRASTRUCTURE, "CaptMachinePool", "captmachinepools",
            root("A node group made by Terraform, as the infrastructure of a MachinePool.", pool_spec(False),
                 pool_status()),
            [column("Ready", ".status.ready", "boolean"), column("Replicas", ".status.replicas", "integer"), age()],
            **touched),
        definition(
            INFRASTRUCTURE, "CaptMachinePoolTemplate", "captmachinepooltemplates",
            root("What a ClusterClass makes a CaptMachinePool from.",
                 template_of("CaptMachinePool", pool_spec(True)), template_status()),
            [age()], **touched),
        definition(
            INFRASTRUCTURE, "CaptMachineSet", "captmachinesets",
            root("A number of equal machines.",
                 record("The machines.", {"replicas": REPLICAS, "selector": selector(), "template": made_machine(),
                                          "minReadySeconds":
                                              count("How long a machine must be ready before it counts.")},
                        required=["template"]),
                 set_status()),
            [column("Desired", ".spec.replicas", "integer"), column("Current", ".status.replicas", "integer"),
             column("Ready", ".status.readyReplicas", "integer"),
             column("Available", ".status.availableReplicas", "integer"), age()],
            categories=["cluster-api"], labels=labels, scale=scale),
        definition(
            INFRASTRUCTURE, "CaptMachineDeployment", "captmachinedeployments",
            root("A number of equal machines that are replaced step by step when they change.", deployment_spec(),
                 deployment_status()),
            [condition_column("Ready", "Ready"), column("Replicas", ".status.replicas", "integer"),
             column("Updated", ".status.updatedReplicas", "integer"),
             column("Available", ".status.availableReplicas", "integer"), age()],
            categories=["cluster-api"], labels=labels, scale=scale),
    ]
