#!/usr/bin/env python3
"""Writes the WorkspaceTemplates of deploy/capt/templates from the HCL in deploy/capt/modules and deploy/terraform, and the
custom resources of the chart capt from the provider's own.

    build.py                    writes what is stale
    build.py --check            writes nothing; exit code 1 if something is stale
    build.py --release FOLDER   writes what clusterctl installs, made from the chart, and the templates in one file

HELM   the Helm to use; else the one on the PATH, else one that is built
IMAGE  the repository of the image, which a release must name

A workspace's inline module is one file: it can call no module beside it. So what deploy/terraform has as modules is put
into the file as it is there, each `var.x` read from the local that holds its inputs.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MODULES = HERE / "modules"
TERRAFORM = HERE.parent / "terraform"
TEMPLATES = HERE / "templates"
PROXIES = HERE / "addons"
ROOT = HERE.parent.parent
CHART = HERE.parent / "charts" / "capt"
DEFINITIONS = ROOT / "capi/src/main/resources/dev/millwright/capi/crd"
NAMESPACE = "capt-system"
HEAD = "# Made by deploy/capt/build.py from {sources}. Change those, then `make capt`.\n"
PROVIDERS = {
    "aws": '    aws = {\n      source  = "hashicorp/aws"\n      version = ">= 5.95"\n    }\n',
    "helm": '    helm = {\n      source  = "hashicorp/helm"\n      version = ">= 3.0"\n    }\n',
}


class Module:
    """A module of deploy/terraform that becomes part of another file."""

    def __init__(self, name, inputs, files, without=(), instead=()):
        self.name, self.inputs, self.files = name, inputs, files
        self.without, self.instead = without, instead

    def text(self):
        text = "\n".join((TERRAFORM / self.name / file).read_text().strip() + "\n" for file in self.files)
        for head in self.without:
            text, count = re.subn(rf"(?ms)^{re.escape(head)} \{{(?: *\}}\n|.*?^\}}\n)\n?", "", text)
            if count != 1:
                sys.exit(f"build.py: {self.name} has {count} blocks {head}, want one")
        for old, new in self.instead:
            if not re.search(old, text):
                sys.exit(f"build.py: {self.name} has no {old} to replace")
            text = re.sub(old, new, text)
        known = set(re.findall(r"(?m)^    (\w+) +=", (MODULES / self.inputs[0]).read_text()))
        unknown = set(re.findall(r"\bvar\.(\w+)", text)) - known
        if unknown:
            sys.exit(f"build.py: {self.inputs[0]} gives {self.name} no {', '.join(sorted(unknown))}")
        return re.sub(r"\bvar\.(\w+)", rf"local.{self.inputs[1]}.\1", text)


KARPENTER = [
    Module(
        "karpenter-infra",
        ("eks/karpenter.tf", "karpenter"),
        ["roles.tf", "queue.tf"],
        without=['module "policies"', 'module "spot_role"'],
        instead=[
            (r"module\.policies\.policy_arns", "{ for name, policy in aws_iam_policy.this : name => policy.arn }")
        ],
    ),
    Module(
        "controller-policies",
        ("eks/karpenter.tf", "karpenter"),
        ["main.tf"],
        # Both modules ask for these.
        without=['data "aws_partition" "current"', 'data "aws_caller_identity" "current"', 'data "aws_region" "current"'],
        instead=[(r"\bqueue_arn\b", "read_queue_arn"), (r"var\.node_role_arn", "local.node_role_arn")],
    ),
]
SPOT_ROLE = Module("spot-service-linked-role", ("spot-role-create/main.tf", "spot_role"), ["main.tf"])

CONTROL_PLANE = ["cluster_name", "kubernetes_version", "region", "vpc_id", "endpoint_public_access"]
CONTROL_PLANE += ["endpoint_private_access", "public_access_cidrs", "addons", "tags"]
CONTROL_PLANE_GIVEN = {"control_plane_logs": "api,audit,authenticator,controllerManager,scheduler", "kms_key_arn": ""}


class Template:
    """One WorkspaceTemplate: `variables` are filled by the apply, `given` is for people to change."""

    def __init__(self, name, description, parts, variables, given=None, providers=("aws",), **spec):
        self.name, self.description, self.parts, self.variables = name, description, parts, variables
        self.given, self.providers, self.spec = given or {}, providers, spec

    def sources(self):
        folders = dict.fromkeys(
            f"deploy/terraform/{part.name}" if isinstance(part, Module) else f"deploy/capt/modules/{part.split('/')[0]}"
            for part in self.parts
        )
        return ", ".join(folders)

    def module(self):
        texts = [part.text() if isinstance(part, Module) else (MODULES / part).read_text() for part in self.parts]
        required = "".join(PROVIDERS[name] for name in self.providers)
        head = f'terraform {{\n  required_version = ">= 1.9"\n\n  required_providers {{\n{required}  }}\n}}\n'
        return "\n".join([head, *(text.strip() + "\n" for text in texts)])

    def text(self):
        lines = [HEAD.format(sources=self.sources()).rstrip()]
        lines += ["apiVersion: infrastructure.cluster.x-k8s.io/v1beta1", "kind: WorkspaceTemplate", "metadata:"]
        lines += [f"  name: {self.name}", "spec:", "  template:", "    metadata:"]
        lines += [f"      description: {self.description}", '      version: "1.0.0"', "    spec:"]
        lines += ["      providerConfigRef:", "        name: aws-provider"]
        lines += [f"      {key}: {value}" for key, value in self.spec.items()]
        lines += ["      forProvider:", "        source: Inline"]
        if "region" in self.variables:
            lines += ["        env:", "          - name: AWS_REGION", '            value: "${region}"']
        if self.variables or self.given:
            lines += ["        vars:"]
            for name in self.variables:
                lines += [f"          - key: {name}", f'            value: "${{{name}}}"']
            for name, value in self.given.items():
                lines += [f"          - key: {name}", f'            value: "{value}"']
        lines += ["        module: |"]
        lines += [f"          {line}" if line else "" for line in self.module().splitlines()]
        return "\n".join(lines) + "\n"


TEMPLATE_LIST = [
    Template(
        "vpc",
        "Network of an EKS cluster in three zones",
        ["vpc/main.tf"],
        ["cluster_name", "vpc_name", "environment", "region", "tags"],
        {"vpc_cidr": "10.0.0.0/16", "single_nat_gateway": "true"},
    ),
    Template(
        "eks-controlplane-template",
        "EKS control plane with Karpenter installed by Helm",
        ["eks/cluster.tf", "eks/karpenter.tf", *KARPENTER, "eks-with-chart/chart.tf"],
        CONTROL_PLANE,
        {
            **CONTROL_PLANE_GIVEN,
            "interruption_queue": "true",
            "karpenter_chart": "oci://public.ecr.aws/karpenter/karpenter",
            "karpenter_version": "1.8.1",
        },
        providers=("aws", "helm"),
    ),
    Template(
        "eks-controlplane-template-without-karpenter",
        "EKS control plane and what Karpenter needs of the account, without Karpenter",
        ["eks/cluster.tf", "eks/karpenter.tf", *KARPENTER, "eks-without-chart/handover.tf"],
        CONTROL_PLANE,
        {**CONTROL_PLANE_GIVEN, "interruption_queue": "true"},
    ),
    Template(
        "eks-kubeconfig-template",
        "Kubeconfig of an EKS cluster with a short-lived token",
        ["kubeconfig/main.tf"],
        ["cluster_name", "region", "cluster_endpoint", "cluster_certificate_authority_data"],
    ),
    Template(
        "eks-node-template",
        "Managed node group or Fargate profile of an EKS cluster",
        ["node/main.tf"],
        ["cluster_name", "region", "node_group", "machine_name", "node_type", "instance_type", "min_size", "max_size", "desired_size"]
        + ["labels", "taints", "tags", "failure_domain", "fargate_namespace"],
    ),
    Template(
        "spot-role-check",
        "Whether the account has the role for spot instances",
        ["spot-role-check/main.tf"],
        ["region"],
    ),
    Template(
        "spot-role-create",
        "The account's role for spot instances",
        ["spot-role-create/main.tf", SPOT_ROLE],
        ["cluster_name", "region"],
        # Other clusters of the account need it as well.
        deletionPolicy="Orphan",
    ),
]


# ---- what clusterctl installs

HALVES = ["infrastructure", "control-plane"]
# clusterctl fills these in from the environment when it installs.
SETTINGS = {
    "--terraform-timeout=": "CAPT_TERRAFORM_TIMEOUT",
    "--terraform-poll-interval=": "CAPT_TERRAFORM_POLL_INTERVAL",
    "--terraform-runs-max=": "CAPT_TERRAFORM_RUNS_MAX",
    "--zap-log-level=": "CAPT_LOG_LEVEL",
    "--concurrency=": "CAPT_CONCURRENCY",
}


def helm():
    found = os.environ.get("HELM") or shutil.which("helm")
    if found:
        return found
    script = ROOT / "testing/e2e/tools/build.sh"
    return subprocess.run([script, "helm"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def components(half):
    """The chart with one half of the provider, in the form that clusterctl wants."""
    values = [f"controllers={{{half}}}", "namePrefix=appthrust-capt-", f"nameSuffix=-{half}", "createNamespace=true"]
    values += ["crds.keep=false", rf"additionalLabels.cluster\.x-k8s\.io/provider={half}-capt"]
    if not os.environ.get("IMAGE"):
        sys.exit("build.py: IMAGE is not set; say where the image lies, as in IMAGE=ghcr.io/OWNER/NAME")
    values.append(f"image.repository={os.environ['IMAGE']}")
    command = [helm(), "template", "capt", CHART, "--namespace", NAMESPACE, "--skip-tests"]
    command += [word for value in values for word in ("--set", value)]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    text = re.sub(r"(?m)^ *(helm\.sh/chart|app\.kubernetes\.io/managed-by): .*\n|^# Source: .*\n", "", text)
    # All else that looks like a variable is meant as it stands.
    text = text.replace("${", "$${")
    for flag, variable in SETTINGS.items():
        text = re.sub(rf"(?m)^( *- ){re.escape(flag)}(\S+)$", rf"\1{flag}${{{variable}:=\2}}", text)
    return text


def release(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for half in HALVES:
        (folder / f"{half}-components.yaml").write_text(components(half))
    for file in sorted(HERE.glob("*.yaml")):
        shutil.copy(file, folder)
    for name, source in {"workspace-templates": TEMPLATES, "karpenter-proxies": PROXIES}.items():
        texts = [file.read_text() for file in sorted(source.glob("*.yaml"))]
        (folder / f"{name}.yaml").write_text("---\n".join(texts))


# ---- files of the project that are made


def made():
    files = {TEMPLATES / f"{each.name}.yaml": each.text() for each in TEMPLATE_LIST}
    for file in sorted(DEFINITIONS.glob("*.yaml")):
        files[CHART / "files" / "crds" / file.name] = file.read_text()
    return files


def write(check):
    """Those that are not as they should be; None stands for one that should not be there."""
    files = made()
    there = [*TEMPLATES.glob("*.yaml"), *(CHART / "files" / "crds").glob("*.yaml")]
    wanted = files | {path: None for path in there if path not in files}
    stale = [path for path, text in wanted.items() if (path.read_text() if path.exists() else None) != text]
    for path in [] if check else stale:
        if wanted[path] is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path])
    return stale


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--release":
        release(pathlib.Path(sys.argv[2]))
        return
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    check = "--check" in sys.argv
    stale = write(check)
    for path in stale:
        print(f"{'stale' if check else 'wrote'} {path.relative_to(ROOT)}")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
