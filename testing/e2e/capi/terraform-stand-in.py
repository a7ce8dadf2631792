#!/usr/bin/env python3
"""Stands in for terraform where what it builds does not matter: the first plan asks for an apply, which writes a state."""

import base64
import json
import os
import pathlib
import re
import sys

AUTHORITY = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"

OUTPUTS = {
    "vpc_id": "vpc-0123456789abcdef0",
    "cluster_name": "stand-in",
    "cluster_endpoint": "https://stand-in.example.com",
    "cluster_certificate_authority_data": base64.b64encode(AUTHORITY.encode()).decode(),
    "role_exists": True,
    "role_arn": "arn:aws:iam::123456789012:role/stand-in",
    "instance_id": "i-0123456789abcdef0",
    "private_ip": "10.0.0.7",
    "kubeconfig": json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "stand-in",
            "contexts": [{"name": "stand-in", "context": {"cluster": "stand-in", "user": "stand-in"}}],
            "clusters": [{"name": "stand-in", "cluster": {"server": "https://stand-in.example.com"}}],
            "users": [{"name": "stand-in", "user": {"token": "stand-in"}}],
        }
    ),
}


def main():
    verb = sys.argv[1]
    if verb == "version":
        print(json.dumps({"terraform_version": "1.11.4"}))
    elif verb == "plan":
        sys.exit(0 if state_file().exists() else 2)
    elif verb == "apply":
        write(state_file())
    elif verb == "destroy":
        state_file().unlink(missing_ok=True)


def state_file():
    override = pathlib.Path("millwright_override.tf").read_text()
    workspace = os.environ.get("TF_WORKSPACE", "default")
    if workspace == "default":
        return pathlib.Path(re.search(r'path\s*=\s*"(.*)"', override).group(1))
    directory = re.search(r'workspace_dir\s*=\s*"(.*)"', override).group(1)
    return pathlib.Path(directory) / workspace / "terraform.tfstate"


def write(file):
    def output(value):
        return {"value": value, "type": "bool" if value is True else "string"}

    resource = {
        "mode": "managed",
        "type": "terraform_data",
        "name": "stand_in",
        "provider": 'provider["terraform.io/builtin/terraform"]',
        "instances": [{"schema_version": 0, "attributes": {"id": "stand-in"}}],
    }
    state = {
        "version": 4,
        "terraform_version": "1.11.4",
        "serial": 1,
        "lineage": "00000000-0000-0000-0000-000000000000",
        "outputs": {name: output(value) for name, value in OUTPUTS.items()},
        "resources": [resource],
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(state))


if __name__ == "__main__":
    main()
