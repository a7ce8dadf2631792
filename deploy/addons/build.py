#!/usr/bin/env python3
"""Writes the custom resources of the chart addons from the module's own.

    build.py                    writes what is stale
    build.py --check            writes nothing; exit code 1 if something is stale
    build.py --release FOLDER   writes what clusterctl installs, made from the chart

HELM   the Helm to use; else the one on the PATH, else one that is built
IMAGE  the repository of the image, which a release must name
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CHART = HERE.parent / "charts" / "addons"
DEFINITIONS = ROOT / "addons/src/main/resources/dev/millwright/addons/crd"
NAMESPACE = "caaph-system"
# Flags whose values clusterctl may be given, by the names that other providers have for them.
SETTINGS = {
    "--diagnostics-address=": "CAPI_DIAGNOSTICS_ADDRESS",
    "--insecure-diagnostics=": "CAPI_INSECURE_DIAGNOSTICS",
    "--sync-period=": "SYNC_PERIOD",
}


def helm():
    found = os.environ.get("HELM") or shutil.which("helm")
    if found:
        return found
    script = ROOT / "testing/e2e/tools/build.sh"
    return subprocess.run([script, "helm"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def components():
    """The chart in the form that clusterctl wants."""
    values = ["createNamespace=true", "crds.keep=false", r"additionalLabels.cluster\.x-k8s\.io/provider=addon-helm"]
    if not os.environ.get("IMAGE"):
        sys.exit("build.py: IMAGE is not set; say where the image lies, as in IMAGE=ghcr.io/OWNER/NAME")
    values.append(f"image.repository={os.environ['IMAGE']}")
    command = [helm(), "template", "addons", CHART, "--namespace", NAMESPACE, "--skip-tests"]
    command += [word for value in values for word in ("--set", value)]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    text = re.sub(r"(?m)^ *(helm\.sh/chart|app\.kubernetes\.io/managed-by): .*\n|^# Source: .*\n", "", text)
    # All else that looks like a variable is meant as it stands.
    text = text.replace("${", "$${")
    for flag, variable in SETTINGS.items():
        text, count = re.subn(rf"(?m)^( *- ){re.escape(flag)}(\S+)$", rf"\1{flag}${{{variable}:=\2}}", text)
        if count != 1:
            sys.exit(f"build.py: the chart gives {flag} {count} times, want once")
    return text


def release(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "addon-components.yaml").write_text(components())
    # Beside the metadata of the other provider; clusterctl wants it as metadata.yaml in a folder with the components.
    shutil.copy(HERE / "metadata.yaml", folder / "addon-metadata.yaml")


def stale():
    made = {CHART / "files" / "crds" / file.name: file.read_text() for file in sorted(DEFINITIONS.glob("*.yaml"))}
    there = (CHART / "files" / "crds").glob("*.yaml")
    wanted = made | {path: None for path in there if path not in made}
    return {path: text for path, text in wanted.items() if (path.read_text() if path.exists() else None) != text}


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--release":
        release(pathlib.Path(sys.argv[2]))
        return
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    check = "--check" in sys.argv
    files = stale()
    for path, text in files.items():
        print(f"{'stale' if check else 'wrote'} {path.relative_to(ROOT)}")
        if check:
            continue
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    sys.exit(1 if check and files else 0)


if __name__ == "__main__":
    main()
