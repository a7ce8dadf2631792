"""What others' tools read of a release: clusterctl its versions, krew and Homebrew where the archives lie."""

import re

PLATFORMS = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"]
DESCRIPTION = "Node autoscaler for Kubernetes, compatible with Karpenter"
SERIES = re.compile(r"(?m)^  - \{major: (\d+), minor: (\d+), contract: (\w+)\}\n")


def with_series(metadata, version, contract):
    """clusterctl's metadata with the version's series, in the order of numbers.

    >>> print(with_series("releaseSeries:\\n  - {major: 0, minor: 3, contract: v1beta1}\\n", "0.2.1", "v1beta2"), end="")
    releaseSeries:
      - {major: 0, minor: 2, contract: v1beta2}
      - {major: 0, minor: 3, contract: v1beta1}
    """
    major, minor = map(int, version.split(".")[:2])
    series = {(int(found[1]), int(found[2])): found[3] for found in SERIES.finditer(metadata)}
    series[major, minor] = contract
    head = metadata[: SERIES.search(metadata).start()]
    return head + "".join(
        f"  - {{major: {number[0]}, minor: {number[1]}, contract: {series[number]}}}\n" for number in sorted(series)
    )


def place(project, version, platform):
    return f"https://github.com/{project}/releases/download/v{version}/millwright-{version}-{platform}.tar.gz"


def krew(project, version, digests):
    """A manifest for krew, by which `kubectl krew install --manifest` or an index installs the plug-in."""
    platforms = "".join(
        f"""\
    - selector:
        matchLabels:
          os: {platform.partition("-")[0]}
          arch: {platform.partition("-")[2]}
      uri: {place(project, version, platform)}
      sha256: {digests[platform]}
      files:
        - from: millwright-{version}-{platform}/*
          to: .
      bin: bin/kubectl-millwright
"""
        for platform in PLATFORMS
    )
    return f"""\
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: millwright
spec:
  version: v{version}
  homepage: https://github.com/{project}
  shortDescription: Plan nodes and explain pods that wait
  description: |
    Tells why a pod waits or a node stays, with the smallest change that would
    alter it; plans the cheapest nodes for a cluster or for manifests; checks,
    freezes and cleanly removes the autoscaler. It brings its own Java.
  platforms:
{platforms}"""


def formula(project, version, digests):
    """A formula for a tap of Homebrew."""

    def source(platform):
        return f'url "{place(project, version, platform)}"\n      sha256 "{digests[platform]}"'

    return f"""\
class Millwright < Formula
  desc "{DESCRIPTION}"
  homepage "https://github.com/{project}"
  version "{version}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      {source("darwin-arm64")}
    end
    on_intel do
      {source("darwin-amd64")}
    end
  end

  on_linux do
    on_arm do
      {source("linux-arm64")}
    end
    on_intel do
      {source("linux-amd64")}
    end
  end

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/millwright", libexec/"bin/kubectl-millwright"
    bash_completion.install_symlink libexec/"share/completions/millwright.bash" => "millwright"
    zsh_completion.install_symlink libexec/"share/completions/millwright.zsh" => "_millwright"
    fish_completion.install_symlink libexec/"share/completions/millwright.fish"
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/millwright version")
  end
end
"""
