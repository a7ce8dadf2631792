#!/usr/bin/env python3
"""Makes the EC2 catalogue of the simulated cloud again from public packages.

The result is plain data: every price is computed here, so that the program that reads it
needs no pricing model and a change of a price is a line in a diff. The same packages give
the same bytes; docs/reference/catalogue.md explains every column.

Needs Python 3.9 or newer, pip and go, each set up to reach its own registry.
"""

import argparse
import collections
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile
from decimal import ROUND_HALF_EVEN, Decimal

REGION = "us-east-1"
FILE = f"ec2-{REGION}.csv"
ZONES_FILE = f"ec2-{REGION}-zones.csv"
RESOURCES = pathlib.Path(__file__).resolve().parent.parent / (
    "src/main/resources/dev/millwright/providers/sim"
)

MOTO = "moto==5.2.5"
MOTO_SHA256 = "eef62cdcf3bfe73e0863743511ba042dfaba04ba3d5ecdcb896a196c693ad528"
KARPENTER = "github.com/aws/karpenter-provider-aws@v1.14.1"
KARPENTER_SUM = "h1:WGtIQTQcxpElYMdWfWuPwaF2+9muR+hYhPZsTtoY8Gs="
SPOT_HISTORY = "github.com/cristim/ec2-instances-info@v0.0.0-20250528091325-32acf84f42eb"
SPOT_HISTORY_SUM = "h1:exJ9FsMTbotSG5xgDHmFJE84gV3MZ4JRpR8nhbgJz/k="

# A table that shrinks below this was not read right: its layout has changed.
TABLE_ROWS_MIN = 1300
# Spot prices without an observation: on-demand times 0.2600 to 0.4200, in ten-thousandths.
SPOT_RATIO_MIN = 2600
SPOT_RATIO_MAX = 4200
CENTICENT = Decimal("0.0001")  # EC2 states spot prices to this step.


class Fault(Exception):
    """Something the person running this can act on; shown without a stack trace."""


def say(message):
    print(f"catalogue: {message}", file=sys.stderr)


# --- Packages -----------------------------------------------------------------------------


def run(command, directory):
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    except FileNotFoundError:
        raise Fault(f"{command[0]} is not installed; it is needed to download a package") from None
    if done.returncode != 0:
        words = (done.stderr + done.stdout).strip()
        raise Fault(f"{' '.join(command)} failed with status {done.returncode}:\n{words}")
    return done.stdout


def moto_wheel(directory):
    """The path of the moto wheel, downloaded and equal to the one this tool was written for."""
    say(f"downloading {MOTO}")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    run([*pip, "--only-binary", ":all:", "--dest", ".", MOTO], directory)
    wheels = sorted(directory.glob("*.whl"))
    if len(wheels) != 1:
        raise Fault(f"pip left {len(wheels)} wheels for {MOTO}, wanted one")
    found = hashlib.sha256(wheels[0].read_bytes()).hexdigest()
    if found != MOTO_SHA256:
        raise Fault(f"{wheels[0].name} has SHA-256 {found}, wanted {MOTO_SHA256}")
    return wheels[0]


def go_module(module, wanted_sum, directory):
    """The directory of a Go module, downloaded and equal to the one this tool was written for."""
    say(f"downloading {module}")
    answer = json.loads(run(["go", "mod", "download", "-json", module], directory))
    if answer.get("Sum") != wanted_sum:
        raise Fault(f"{module} has sum {answer.get('Sum')}, wanted {wanted_sum}")
    return pathlib.Path(answer["Dir"])


# --- Reading ------------------------------------------------------------------------------


def read_moto(wheel):
    """Descriptions by type for the types the region offers, and per zone its id and its types."""
    with zipfile.ZipFile(wheel) as archive:

        def load(name):
            return json.loads(gzip.decompress(archive.read(f"moto/ec2/resources/{name}.json.gz")))

        described = load("instance_types")
        by_zone = types_by_location(load(f"instance_type_offerings/availability-zone/{REGION}"))
        by_id = types_by_location(load(f"instance_type_offerings/availability-zone-id/{REGION}"))
    offered = sorted(set().union(*by_zone.values()))
    unknown = [name for name in offered if name not in described]
    if unknown:
        raise Fault(f"types are offered but not described: {', '.join(unknown)}")
    return {name: described[name] for name in offered}, zones_with_ids(by_zone, by_id), by_zone


def types_by_location(offerings):
    found = collections.defaultdict(set)
    for offering in offerings:
        found[offering["Location"]].add(offering["InstanceType"])
    return found


def zones_with_ids(by_zone, by_id):
    """Zone name to zone id. The two lists share no key; equal sets of types identify a zone."""
    pairs = {}
    for zone in sorted(by_zone):
        ids = [zone_id for zone_id, types in by_id.items() if types == by_zone[zone]]
        if len(ids) != 1:
            raise Fault(f"zone {zone} matches zone ids {sorted(ids)}, wanted exactly one")
        pairs[zone] = ids[0]
    return pairs


def read_karpenter(directory):
    """On-demand prices, network bandwidths in Mbps, and branch interfaces, each by type."""
    providers = directory / "pkg/providers"
    pricing = (providers / "pricing/zz_generated.pricing_aws.go").read_text(encoding="utf-8")
    block = re.search(rf'^\t"{REGION}": \{{\n(.*?)^\t\}},', pricing, re.S | re.M)
    prices = dict(re.findall(r'"([^"]+)": ([0-9.]+)', block[1] if block else ""))
    bandwidth = (providers / "instancetype/zz_generated.bandwidth.go").read_text(encoding="utf-8")
    bandwidths = dict(re.findall(r'^\t\t"([^"]+)":\s+([0-9]+),$', bandwidth, re.M))
    limits = (providers / "instancetype/zz_generated.vpclimits.go").read_text(encoding="utf-8")
    branches = {}
    for name, body in re.findall(r'^\t"([^"]+)": \{\n(.*?)^\t\},$', limits, re.S | re.M):
        fields = dict(re.findall(r"^\t\t(\w+):\s+(\w+),$", body, re.M))
        trunking = fields["IsTrunkingCompatible"] == "true"
        branches[name] = (trunking, int(fields["BranchInterface"]) if trunking else 0)
    for table, what in ((prices, "prices"), (bandwidths, "bandwidths"), (branches, "limits")):
        if len(table) < TABLE_ROWS_MIN:
            raise Fault(f"{KARPENTER}: {len(table)} {what}, wanted at least {TABLE_ROWS_MIN}")
    return {name: Decimal(text) for name, text in prices.items()}, bandwidths, branches


def read_spot_history(directory):
    """Observed spot prices in rising order, and the band of interruptions, each by type."""
    with open(directory / "data/instances.json", encoding="utf-8") as file:
        instances = json.load(file)
    prices, interruptions = {}, {}
    for instance in instances:
        linux = instance.get("pricing", {}).get(REGION, {}).get("linux", {})
        observed = sorted(Decimal(text) for text in linux.get("spot") or [])
        if observed:
            prices[instance["instance_type"]] = observed
            interruptions[instance["instance_type"]] = linux["pct_interrupt"]
    if not prices:
        raise Fault(f"{SPOT_HISTORY}: no spot price found for {REGION}")
    return prices, interruptions


# --- Spot model ---------------------------------------------------------------------------


def stable_hash(name, zone):
    return int.from_bytes(hashlib.sha256(f"{name} {zone}".encode()).digest()[:8], "big")


def spot_prices(name, zones, on_demand, observed):
    """A spot price per zone.

    The source keeps the prices but not their zones: each observed price goes to one zone, in
    an order that depends on type and zone only, and zones left over repeat an observed one.
    EC2 never asks more than on-demand; the older observation could, so it is capped.
    """
    if on_demand is None:
        return {}
    found = {}
    for index, zone in enumerate(sorted(zones, key=lambda zone: stable_hash(name, zone))):
        chance = stable_hash(name, zone)
        if not observed:
            ratio = SPOT_RATIO_MIN + chance % (SPOT_RATIO_MAX - SPOT_RATIO_MIN + 1)
            modelled = on_demand * ratio / 10_000
            found[zone] = modelled.quantize(CENTICENT, rounding=ROUND_HALF_EVEN)
        elif index < len(observed):
            found[zone] = min(observed[index], on_demand)
        else:
            found[zone] = min(observed[chance % len(observed)], on_demand)
    return found


# --- Rows ---------------------------------------------------------------------------------


def only(name, what, entries):
    """The single entry of a list that the format has room for once, or an empty one."""
    if len(entries) > 1:
        raise Fault(f"{name} has {len(entries)} {what}; the format holds one, extend it")
    return entries[0] if entries else {}


def megabits(cards, key):
    total = sum(Decimal(str(card.get(key, 0))) for card in cards)
    return int(total * 1000)


def computing(name, info):
    processor = info["ProcessorInfo"]
    gpu = only(name, "GPU entries", info.get("GpuInfo", {}).get("Gpus", []))
    neuron = only(name, "Neuron entries", info.get("NeuronInfo", {}).get("NeuronDevices", []))
    inference = info.get("InferenceAcceleratorInfo", {}).get("Accelerators", [])
    accelerator = neuron or only(name, "inference accelerator entries", inference)
    maker = "AWS" if neuron else accelerator.get("Manufacturer")
    return {
        "type": name,
        "architectures": "|".join(processor["SupportedArchitectures"]),
        "cpu_manufacturer": processor["Manufacturer"],
        "vcpus": info["VCpuInfo"]["DefaultVCpus"],
        "cores": info["VCpuInfo"].get("DefaultCores"),
        "clock_mhz": round(Decimal(str(processor.get("SustainedClockSpeedInGhz", 0))) * 1000),
        "memory_mib": info["MemoryInfo"]["SizeInMiB"],
        "gpus": gpu.get("Count", 0),
        "gpus_logical": gpu.get("LogicalGpuCount", 0),
        "gpu_manufacturer": gpu.get("Manufacturer"),
        "gpu_name": gpu.get("Name"),
        "gpu_memory_mib": gpu.get("MemoryInfo", {}).get("SizeInMiB"),
        "accelerators": accelerator.get("Count", 0),
        "accelerator_manufacturer": maker,
        "accelerator_name": accelerator.get("Name"),
        "neuron_cores_per_accelerator": neuron.get("CoreInfo", {}).get("Count", 0),
    }


def storage(info):
    disks = info.get("InstanceStorageInfo", {})
    ebs = info["EbsInfo"]
    optimized = ebs.get("EbsOptimizedInfo", {})
    return {
        "local_storage_gb": disks.get("TotalSizeInGB", 0),
        "local_storage_nvme": disks.get("NvmeSupport", "unsupported") != "unsupported",
        "ebs_optimized": ebs["EbsOptimizedSupport"],
        "ebs_baseline_mbps": optimized.get("BaselineBandwidthInMbps"),
        "ebs_peak_mbps": optimized.get("MaximumBandwidthInMbps"),
        "ebs_attachments_max": ebs.get("MaximumEbsAttachments"),
    }


def network(name, info, bandwidths, branches):
    net = info["NetworkInfo"]
    if net["DefaultNetworkCardIndex"] != 0:
        raise Fault(f"{name}: default network card {net['DefaultNetworkCardIndex']}, wanted 0")
    cards = sorted(net["NetworkCards"], key=lambda card: card["NetworkCardIndex"])
    trunking, branch_interfaces = branches.get(name, (None, None))
    return {
        "interfaces_per_card": "|".join(str(card["MaximumNetworkInterfaces"]) for card in cards),
        "ipv4_per_interface": net["Ipv4AddressesPerInterface"],
        "ipv6": net["Ipv6Supported"],
        "ena": net["EnaSupport"],
        "efa_max": net.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0),
        "trunking": trunking,
        "branch_interfaces": branch_interfaces,
        "network_mbps": bandwidths.get(name),
        "network_baseline_mbps": megabits(cards, "BaselineBandwidthInGbps"),
        "network_peak_mbps": megabits(cards, "PeakBandwidthInGbps"),
        "encryption_in_transit": net["EncryptionInTransitSupported"],
    }


def platform(info):
    features = info["ProcessorInfo"].get("SupportedFeatures", [])
    return {
        "hypervisor": info.get("Hypervisor"),
        "virtualization": "|".join(info["SupportedVirtualizationTypes"]),
        "bare_metal": info["BareMetal"],
        "burstable": info["BurstablePerformanceSupported"],
        "current_generation": info["CurrentGeneration"],
        "nitro_enclaves": info["NitroEnclavesSupport"] == "supported",
        "nested_virtualization": "nested-virtualization" in features,
        "placement": "|".join(sorted(info["PlacementGroupInfo"]["SupportedStrategies"])),
        "usage_classes": "|".join(sorted(info["SupportedUsageClasses"])),
    }


def offers(zones, offered, price, spot):
    """A zone's cell: empty when it does not offer the type, `-` when it has no spot price."""
    found = {"on_demand_usd_per_hour": price}
    for zone in zones:
        found[zone] = spot.get(zone, "-") if zone in offered else None
    return found


def text(name, column, value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    found = str(value)
    if re.search(r'[,"\r\n#]', found):
        raise Fault(f"{name}, column {column}: {found!r} would need quoting")
    return found


def make(wheel, karpenter, spot_history):
    """The contents of both files, by file name."""
    described, zone_ids, by_zone = read_moto(wheel)
    prices, bandwidths, branches = read_karpenter(karpenter)
    observed, interruptions = read_spot_history(spot_history)
    rows = []
    for name, info in described.items():
        offered = [zone for zone in zone_ids if name in by_zone[zone]]
        sold_as_spot = offered if "spot" in info["SupportedUsageClasses"] else []
        price = prices.get(name)
        spot = spot_prices(name, sold_as_spot, price, observed.get(name))
        row = computing(name, info) | storage(info) | network(name, info, bandwidths, branches)
        row |= platform(info) | {"spot_interruption": interruptions.get(name)}
        row |= offers(zone_ids, offered, price, spot)
        rows.append({column: text(name, column, value) for column, value in row.items()})
    say(report(rows, observed))
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    zones = ["zone,zone_id", *(f"{zone},{zone_id}" for zone, zone_id in zone_ids.items())]
    return {FILE: "\n".join(lines) + "\n", ZONES_FILE: "\n".join(zones) + "\n"}


def report(rows, observed):
    unpriced = [row["type"] for row in rows if not row["on_demand_usd_per_hour"]]
    seen = sum(1 for row in rows if row["type"] in observed)
    return (
        f"{len(rows)} types, {len(unpriced)} without a price, {seen} with observed spot prices;"
        f" without a price: {', '.join(unpriced)}"
    )


# --- Writing ------------------------------------------------------------------------------


def write(contents, directory):
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (directory / name).write_bytes(content.encode("ascii"))
        say(f"wrote {name}, {len(content)} bytes")


def check(contents, directory):
    for name, content in contents.items():
        path = directory / name
        if not path.is_file() or path.read_bytes() != content.encode("ascii"):
            raise Fault(f"{path} is not what the packages give; run this without --check")
    say("the files are what the packages give")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path, default=RESOURCES, help="directory to fill")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            contents = make(
                moto_wheel(directory),
                go_module(KARPENTER, KARPENTER_SUM, directory),
                go_module(SPOT_HISTORY, SPOT_HISTORY_SUM, directory),
            )
        (check if options.check else write)(contents, options.output)
    except Fault as fault:
        sys.exit(f"catalogue: {fault}")


if __name__ == "__main__":
    main()
