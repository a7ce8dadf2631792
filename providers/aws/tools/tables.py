#!/usr/bin/env python3
"""Makes the tables that the AWS provider carries with it again from a public package.

EC2's API does not tell a type's whole network bandwidth nor its branch interfaces, and without the
price list there must still be a price: these facts come from tables, as in Karpenter. The same
package gives the same bytes; docs/reference/catalogue.md explains every column.

Needs Python 3.9 or newer and go, set up to reach its registry.
"""

import argparse
import pathlib
import re
import sys
import tempfile
from decimal import Decimal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "sim/tools"))

from catalogue import (  # noqa: E402
    KARPENTER,
    KARPENTER_SUM,
    Fault,
    check,
    go_module,
    read_karpenter,
    text,
    write,
)

RESOURCES = HERE.parent / "src/main/resources/dev/millwright/providers/aws"
TYPES_FILE = "ec2-types.csv"
PRICES_FILE = "ec2-prices.csv"
# The regions a price table is kept for; others use the first until the price list was asked.
REGIONS = ("us-east-1", "us-gov-east-1", "us-gov-west-1", "cn-north-1")
# China sells fewer types than any other; a shorter table was not read right.
PRICES_MIN = 300


def addresses(directory):
    """IPv4 addresses of each interface by type."""
    limits = directory / "pkg/providers/instancetype/zz_generated.vpclimits.go"
    bodies = re.findall(
        r'^\t"([^"]+)": \{\n(.*?)^\t\},$', limits.read_text(encoding="utf-8"), re.S | re.M
    )
    return {name: re.search(r"IPv4PerInterface:\s+(\d+)", body)[1] for name, body in bodies}


def prices(directory):
    """On-demand prices by region and type."""
    tables = sorted((directory / "pkg/providers/pricing").glob("zz_generated.pricing_*.go"))
    blocks = {}
    for table in tables:
        content = table.read_text(encoding="utf-8")
        for region, body in re.findall(r'^\t"([^"]+)": \{\n(.*?)^\t\},', content, re.S | re.M):
            blocks[region] = dict(re.findall(r'"([^"]+)": ([0-9.]+)', body))
    if set(blocks) != set(REGIONS):
        raise Fault(f"{KARPENTER}: prices of {sorted(blocks)}, wanted {sorted(REGIONS)}")
    for region, found in blocks.items():
        if len(found) < PRICES_MIN:
            raise Fault(f"{region}: {len(found)} prices, wanted at least {PRICES_MIN}")
    return blocks


def make(directory):
    """The contents of both files, by file name."""
    _, bandwidths, branches = read_karpenter(directory)
    by_interface = addresses(directory)
    lines = ["type,network_mbps,branch_interfaces,ipv4_per_interface"]
    for name in sorted({*bandwidths, *branches}):
        _, branch_interfaces = branches.get(name, (None, None))
        row = (name, bandwidths.get(name), branch_interfaces, by_interface.get(name))
        lines.append(",".join(text(name, "any", value) for value in row))
    price_lines = ["region,type,price_per_hour"]
    found = prices(directory)
    for region in REGIONS:
        for name, price in sorted(found[region].items()):
            if Decimal(price) > 0:
                price_lines.append(f"{region},{name},{text(name, region, Decimal(price))}")
    return {
        TYPES_FILE: "\n".join(lines) + "\n",
        PRICES_FILE: "\n".join(price_lines) + "\n",
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path, default=RESOURCES, help="directory to fill")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as name:
            contents = make(go_module(KARPENTER, KARPENTER_SUM, pathlib.Path(name)))
        (check if options.check else write)(contents, options.output)
    except Fault as fault:
        sys.exit(f"tables: {fault}")


if __name__ == "__main__":
    main()
