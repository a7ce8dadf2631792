"""Workspaces, their templates and applies: the kinds through which Terraform is run."""

from schema import (age, any_shape, anything, choice, column, condition_column, conditions, count, definition, flag,
                    record, records, root, rule, text, text_map, texts, time, whole)

TERRAFORM = "tf.upbound.io"
NAMESPACED = "tf.m.upbound.io"
INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io"

# clusterctl installs with the first label and looks for it when it moves clusters; a chart must set it itself.
MOVABLE = {"clusterctl.cluster.x-k8s.io": ""}


def named(meaning, what):
    """A reference to an object of our namespace or another."""
    return record(
        meaning,
        {
            "name": text(f"Name of {what}.", minLength=1),
            "namespace": text(f"Namespace of {what}; the object's own when it is left out."),
        },
        required=["name"],
    )


TEMPLATE_REF = named("WorkspaceTemplate to make the workspace from.", "the WorkspaceTemplate")
SECRET_REF = named("Secret that all outputs are written to, sensitive ones too.", "the Secret")


def key_ref(what, has_namespace):
    fields = {"name": text(f"Name of the {what}."), "key": text("Key in it.")}
    if has_namespace:
        fields = {"namespace": text(f"Namespace of the {what}."), **fields}
    return record(f"Key of a {what} to read.", fields, required=list(fields))


def for_provider(has_namespace):
    config_map, secret = key_ref("ConfigMap", has_namespace), key_ref("Secret", has_namespace)
    variables = records(
        "Variables given as text.",
        {"key": text("Name of the variable.", minLength=1), "value": text("Its value.")},
        required=["key", "value"],
    )
    files = records(
        "Files of variables. They are given after vars, so that they win over them.",
        {
            "source": choice("Where the file comes from.", "ConfigMapKey", "SecretKey"),
            "format": choice("What it is written in.", "HCL", "JSON", default="HCL"),
            "configMapKeyRef": config_map,
            "secretKeyRef": secret,
        },
        required=["source"],
        rules=[
            rule("self.source != 'ConfigMapKey' || has(self.configMapKeyRef)",
                 "source ConfigMapKey needs configMapKeyRef", ".configMapKeyRef"),
            rule("self.source != 'SecretKey' || has(self.secretKeyRef)",
                 "source SecretKey needs secretKeyRef", ".secretKeyRef"),
        ],
        maxItems=100,
    )
    environment = records(
        "Environment of Terraform. A value that is not empty wins over a reference.",
        {
            "name": text("Name of the environment variable.", minLength=1),
            "value": text("Its value."),
            "configMapKeyRef": config_map,
            "secretKeyRef": secret,
        },
        required=["name"],
    )
    return record(
        "What Terraform shall make.",
        {
            "source": choice("Where the module comes from.", "Inline", "Remote", "Flux"),
            "module": text("Inline: the module's text. Remote: an address that Terraform can fetch from. Flux: "
                           "GitRepository::namespace/name or OCIRepository::namespace/name."),
            "entrypoint": text("Folder of the module to run in, for modules that are fetched."),
            "inlineFormat": choice("What an inline module is written in.", "HCL", "JSON"),
            "vars": variables,
            "varmap": anything("Variables given as any JSON. They are given last and win over vars and varFiles."),
            "varFiles": files,
            "env": environment,
            "initArgs": texts("More arguments of init."),
            "planArgs": texts("More arguments of plan."),
            "applyArgs": texts("More arguments of apply."),
            "destroyArgs": texts("More arguments of destroy."),
            "enableTerraformCLILogging": flag("Whether what Terraform prints is logged."),
        },
        required=["source", "module"],
    )


def management_policies(has_default):
    found = texts(
        "What may be done with the resources. An explicit list decides alone what deletion does; an empty one pauses.",
        {"enum": ["Observe", "Create", "Update", "Delete", "LateInitialize", "*"]},
    )
    if has_default:
        found["default"] = ["*"]
    return found


def policy(meaning):
    return record(
        meaning,
        {
            "resolution": choice("Whether the reference must be resolved.", "Required", "Optional"),
            "resolve": choice("When it is resolved.", "Always", "IfNotPresent"),
        },
    )


def workspace_spec(has_defaults):
    """Templates hold no defaults, so that a workspace gets those of whoever runs it."""
    config = record(
        "ProviderConfig with credentials and backend.",
        {"name": text("Name of the ProviderConfig.", minLength=1),
         "policy": policy("Kept for manifests that have it; not looked at.")},
        required=["name"],
    )
    deletion = choice("What becomes of the resources when the workspace is deleted, as long as managementPolicies "
                      "are [\"*\"].", "Delete", "Orphan")
    if has_defaults:
        config["default"] = {"name": "default"}
        deletion["default"] = "Delete"
    secret = record(
        "Secret that all outputs are written to, sensitive ones too.",
        {"name": text("Name of the Secret."), "namespace": text("Namespace of the Secret.")},
        required=["name", "namespace"],
    )
    return record(
        "What Terraform shall make, and with which credentials.",
        {
            "forProvider": for_provider(True),
            "providerConfigRef": config,
            "deletionPolicy": deletion,
            "managementPolicies": management_policies(has_defaults),
            "writeConnectionSecretToRef": secret,
            "publishConnectionDetailsTo": anything("Kept for manifests that have it; not looked at."),
        },
        required=["forProvider"],
    )


def namespaced_workspace_spec():
    config = record(
        "ProviderConfig or ClusterProviderConfig with credentials and backend.",
        {
            "kind": choice("Kind of the configuration.", "ClusterProviderConfig", "ProviderConfig",
                           default="ClusterProviderConfig"),
            "name": text("Name of the configuration.", minLength=1),
        },
        required=["name"],
        default={"kind": "ClusterProviderConfig", "name": "default"},
    )
    secret = record(
        "Secret of the same namespace that all outputs are written to, sensitive ones too.",
        {"name": text("Name of the Secret.")},
        required=["name"],
    )
    return record(
        "What Terraform shall make, and with which credentials.",
        {
            "forProvider": for_provider(False),
            "providerConfigRef": config,
            "managementPolicies": management_policies(True),
            "writeConnectionSecretToRef": secret,
        },
        required=["forProvider"],
    )


def workspace_status():
    return record(
        "What Terraform made, and how it goes.",
        {
            "atProvider": record(
                "What the last run left.",
                {
                    "outputs": anything("Outputs that are not sensitive."),
                    "checksum": text("Checksum of the work folder. While it is the same, init is left out."),
                },
                **{"x-kubernetes-preserve-unknown-fields": True},
            ),
            "conditions": conditions("Synced: the last run went well. Ready: everything is there. Running: Terraform "
                                     "is at work."),
            "observedGeneration": whole("Generation of the workspace that was looked at.", "int64"),
        },
    )


def provider_config_spec(has_namespace):
    secret = key_ref("Secret", True) if has_namespace else key_ref("Secret", False)
    credentials = records(
        "Files with credentials. Each is put beside the module under its name.",
        {
            "filename": text("Name of the file. .git-credentials serves git too.", minLength=1),
            "source": choice("Where its text comes from.", "None", "Secret", "Environment", "Filesystem"),
            "secretRef": secret,
            "env": record("Environment variable of the controller to read.",
                          {"name": text("Name of the environment variable.")}, required=["name"]),
            "fs": record("File of the controller to read.", {"path": text("Path of the file.")}, required=["path"]),
        },
        required=["filename", "source"],
        rules=[
            rule("self.source != 'Secret' || has(self.secretRef)", "source Secret needs secretRef", ".secretRef"),
            rule("self.source != 'Environment' || has(self.env)", "source Environment needs env", ".env"),
            rule("self.source != 'Filesystem' || has(self.fs)", "source Filesystem needs fs", ".fs"),
        ],
        maxItems=100,
    )
    return record(
        "Credentials, providers and backend of the workspaces that name it.",
        {
            "credentials": credentials,
            "configuration": text("HCL put beside the module: providers and backend."),
            "backendFile": text("Attributes of the backend, given to init."),
            "pluginCache": flag("Whether providers are fetched once for all workspaces.", default=True),
        },
    )


def provider_config(group, kind, plural, scope, has_namespace, labels=None):
    return definition(
        group, kind, plural,
        root(
            "How Terraform comes to credentials, providers and its backend.",
            provider_config_spec(has_namespace),
            record(
                "Who uses it.",
                {"users": whole("Number of workspaces that use it; while there are any, it is not deleted.", "int64"),
                 "conditions": conditions("State of the configuration.")},
            ),
        ),
        [column("Users", ".status.users", "integer"), age()],
        scope=scope, categories=["crossplane", "provider", "terraform"],
    )


def usage():
    reference = record(
        "Workspace that uses it.",
        {
            "apiVersion": text("API version of the workspace."),
            "kind": text("Kind of the workspace."),
            "name": text("Name of the workspace."),
            "uid": text("UID of the workspace."),
        },
        required=["apiVersion", "kind", "name"],
    )
    config = record(
        "ProviderConfig that is used.",
        {"name": text("Name of the ProviderConfig."),
         "policy": policy("Kept for manifests that have it; not looked at.")},
        required=["name"],
    )
    schema = root("Says that a workspace uses a ProviderConfig.", None, providerConfigRef=config,
                  resourceRef=reference)
    schema["required"] = ["providerConfigRef", "resourceRef"]
    return definition(
        TERRAFORM, "ProviderConfigUsage", "providerconfigusages", schema,
        [column("Config-Name", ".providerConfigRef.name"), column("Resource-Kind", ".resourceRef.kind"),
         column("Resource-Name", ".resourceRef.name"), age()],
        scope="Cluster", categories=["crossplane", "provider", "terraform"], has_status=False,
    )


def workspace(group, scope, spec):
    return definition(
        group, "Workspace", "workspaces",
        root("One run of Terraform: a module, its variables and what came of it.", spec, workspace_status()),
        [condition_column("Synced", "Synced"), condition_column("Ready", "Ready"), age()],
        scope=scope, categories=["crossplane", "managed", "terraform"],
    )


def workspace_template(labels):
    template = record(
        "Workspace to make.",
        {
            "metadata": record(
                "What the template is.",
                {
                    "description": text("What it makes."),
                    "version": text("Version of the template."),
                    "tags": text_map("Words to find it by."),
                },
            ),
            "spec": workspace_spec(False),
        },
        required=["spec"],
    )
    return definition(
        INFRASTRUCTURE, "WorkspaceTemplate", "workspacetemplates",
        root(
            "A workspace to be made any number of times, with ${…} in it for what differs.",
            record(
                "The workspace.",
                {"template": template,
                 "writeConnectionSecretToRef": SECRET_REF},
                required=["template"],
            ),
            record(
                "Kept for readers that have it.",
                {"workspaceName": text("Name of a workspace."), "conditions": conditions("State of the template."),
                 "observedGeneration": whole("Generation of the template that was looked at.", "int64")},
            ),
        ),
        [column("Workspace", ".status.workspaceName"), age()],
        categories=["capt", "terraform"],
        # Nothing owns a template, so only this makes clusterctl take it along.
        labels={**labels, "clusterctl.cluster.x-k8s.io/move": ""},
    )


def workspace_template_apply(labels):
    def waits(meaning, what):
        wait = named("", what)
        return records(meaning, wait["properties"], required=wait["required"])

    return definition(
        INFRASTRUCTURE, "WorkspaceTemplateApply", "workspacetemplateapplies",
        root(
            "One workspace made from a template, with values for what differs.",
            record(
                "Template, values, and what to wait for.",
                {
                    "templateRef": TEMPLATE_REF,
                    "variables": text_map(
                        "Values for ${key} in the template's variables, environment and names of Secrets; never in its "
                        "module.",
                        # A key that is an expression, such as var.region, would reach for Terraform's own.
                        rules=[rule("self.all(key, key.matches('^[a-z][a-z0-9_]*$'))",
                                    "keys are a lower-case letter, then lower-case letters, digits and _")],
                        maxProperties=100),
                    "writeConnectionSecretToRef": SECRET_REF,
                    "waitForSecrets": waits("Secrets that must exist first.", "the Secret"),
                    "waitForWorkspaces": waits("Workspaces that must be Ready first.", "the workspace"),
                    "retainWorkspaceOnDelete": flag("Whether the workspace outlives this object."),
                },
                required=["templateRef"],
            ),
            record(
                "The workspace, and how it goes.",
                {
                    "workspaceName": text("Name of the workspace."),
                    "applied": flag("Whether the workspace was made."),
                    "lastAppliedTime": time("When it was made or changed last."),
                    "conditions": conditions("All conditions of the workspace."),
                    "observedGeneration": whole("Generation of the apply that was looked at.", "int64"),
                },
            ),
        ),
        [column("Workspace", ".status.workspaceName"), column("Applied", ".status.applied", "boolean"),
         condition_column("Ready", "Ready") | {"priority": 1}, age()],
        short=["wtapply"], categories=["capt", "terraform"], labels=labels,
    )


def reference_grant():
    """As Gateway API has it: written in the namespace that is referred to."""
    return definition(
        "millwright.dev", "ReferenceGrant", "referencegrants",
        root(
            "Lets objects of other namespaces refer to objects of this one.",
            record(
                "Each of from may refer to each of to.",
                {
                    "from": records(
                        "What may refer.",
                        {
                            "group": text("Its API group.", minLength=1),
                            "kind": text("Its kind, such as WorkspaceTemplateApply.", minLength=1),
                            "namespace": text("Its namespace; * for all.", minLength=1),
                        },
                        required=["group", "kind", "namespace"], minItems=1, maxItems=64,
                    ),
                    "to": records(
                        "What may be referred to, in the grant's own namespace.",
                        {
                            "group": text("Its API group; empty for Secrets and ConfigMaps."),
                            "kind": text("Its kind, such as WorkspaceTemplate.", minLength=1),
                            "name": text("Its name; all of the kind when it is left out."),
                        },
                        required=["group", "kind"], minItems=1, maxItems=64,
                    ),
                },
                required=["from", "to"],
            ),
        ),
        [age()], versions=("v1alpha1",), categories=["capt"], has_status=False,
        labels={**MOVABLE, "clusterctl.cluster.x-k8s.io/move": ""},
    )


def definitions(labels):
    return [
        reference_grant(),
        workspace_template(labels),
        workspace_template_apply(labels),
        workspace(TERRAFORM, "Cluster", workspace_spec(True)),
        provider_config(TERRAFORM, "ProviderConfig", "providerconfigs", "Cluster", True),
        usage(),
        workspace(NAMESPACED, "Namespaced", namespaced_workspace_spec()),
        provider_config(NAMESPACED, "ProviderConfig", "providerconfigs", "Namespaced", True),
        provider_config(NAMESPACED, "ClusterProviderConfig", "clusterproviderconfigs", "Cluster", True),
    ]
