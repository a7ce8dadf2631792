#!/usr/bin/env python3
"""Makes the files of all regions but us-east-1 again from the packages that catalogue.py reads.

A region's file says what it offers in which zone and at which price; what a type is stands in one
table for all regions. The same packages give the same bytes; docs/reference/catalogue.md explains
every column and how a price that no package has is estimated.

Needs Python 3.9 or newer, pip and go, each set up to reach its own registry.
"""

import argparse
import collections
import gzip
import json
import pathlib
import re
import statistics
import sys
import tempfile
import zipfile
from decimal import ROUND_HALF_EVEN, Decimal

from catalogue import (
    KARPENTER,
    KARPENTER_SUM,
    REGION,
    RESOURCES,
    SPOT_HISTORY,
    SPOT_HISTORY_SUM,
    Fault,
    computing,
    go_module,
    moto_wheel,
    network,
    platform,
    read_karpenter,
    say,
    spot_prices,
    storage,
    text,
    types_by_location,
)

TYPES_FILE = "ec2-types-elsewhere.csv"
ZONES_FILE = "ec2-zones.csv"
REGION_FILE = "ec2-{}.csv.gz"

# Regions that have prices but no list of what each zone offers: their zones are facts that AWS
# publishes, and every type with a price is taken to be offered in each of them.
ZONES_ALONE = {
    "ap-southeast-7": "apse7",
    "mx-central-1": "mxc1",
    "us-gov-east-1": "usge1",
    "us-gov-west-1": "usgw1",
}
ZONE_LETTERS = "abc"

OBSERVED_ON = "2025-05-28"
REGION_NAME = re.compile(r"[a-z]+(-gov)?-[a-z]+-[0-9]+")
REGIONS_MIN = 33
PRICE_STEP = Decimal("0.00001")


# --- Reading ------------------------------------------------------------------------------


def read_offerings(wheel):
    """Descriptions of all types, and per region its zone ids and the types of each zone."""
    with zipfile.ZipFile(wheel) as archive:

        def load(name):
            return json.loads(gzip.decompress(archive.read(f"moto/ec2/resources/{name}.json.gz")))

        described = load("instance_types")
        folder = "moto/ec2/resources/instance_type_offerings/availability-zone/"
        regions = sorted(
            name[len(folder) : -len(".json.gz")]
            for name in archive.namelist()
            if name.startswith(folder) and name.endswith(".json.gz")
        )
        found = {}
        for region in regions:
            by_zone = types_by_location(load(f"instance_type_offerings/availability-zone/{region}"))
            by_id = types_by_location(load(f"instance_type_offerings/availability-zone-id/{region}"))
            found[region] = (zone_ids(by_zone, by_id), by_zone)
    return described, found


def zone_ids(by_zone, by_id):
    """Zone name to zone id. Zones that offer the same types share ids in the order of names."""
    free = sorted(by_id)
    pairs = {}
    for zone in sorted(by_zone):
        same = [zone_id for zone_id in free if by_id[zone_id] == by_zone[zone]]
        if not same:
            raise Fault(f"zone {zone} has the types of no zone id")
        pairs[zone] = same[0]
        free.remove(same[0])
    return pairs


def read_history(directory):
    """Per region: on-demand prices by type, and observed spot prices in rising order by type."""
    with open(directory / "data/instances.json", encoding="utf-8") as file:
        instances = json.load(file)
    prices = collections.defaultdict(dict)
    spot = collections.defaultdict(dict)
    for instance in instances:
        name = instance["instance_type"]
        for region, sold in instance.get("pricing", {}).items():
            linux = sold.get("linux", {})
            price = Decimal(linux.get("ondemand") or "0")
            if REGION_NAME.fullmatch(region) and price > 0:
                prices[region][name] = price
                observed = sorted(Decimal(each) for each in linux.get("spot") or [])
                if observed:
                    spot[region][name] = observed
    return prices, spot


def read_government(directory):
    """The newer price table of the GovCloud regions, and the day it was made."""
    file = directory / "pkg/providers/pricing/zz_generated.pricing_aws_us_gov.go"
    content = file.read_text(encoding="utf-8")
    made = re.search(r"// generated at ([0-9-]{10})T", content)
    tables = {}
    for region, body in re.findall(r'^\t"([^"]+)": \{\n(.*?)^\t\},', content, re.S | re.M):
        listed = re.findall(r'"([^"]+)": ([0-9.]+)', body)
        tables[region] = {name: Decimal(price) for name, price in listed if Decimal(price) > 0}
    if not made or not tables:
        raise Fault(f"{KARPENTER}: no prices of GovCloud found")
    return tables, made[1]


# --- On-demand prices ---------------------------------------------------------------------


class Ratios:
    """What a region asks for a type beside us-east-1: its own family's ratio, else its category's."""

    def __init__(self, own, home):
        self.by_key = collections.defaultdict(list)
        for name, price in own.items():
            if name in home:
                for key in keys(name):
                    self.by_key[key].append(price / home[name])

    def of(self, name):
        for key in keys(name):
            if self.by_key[key]:
                return Decimal(statistics.median(self.by_key[key]))
        return None


def keys(name):
    family = name.split(".")[0]
    return family, re.match("[a-z]+", family)[0], ""


def on_demand(name, own, home_then, home_now, ratios):
    """Price, the day of it, and how it is known.

    A published one counts as long as us-east-1's own did not change since; else it is taken to have
    changed in proportion. A type that the region did not list costs what us-east-1 asks times the
    ratio between the two.
    """
    now = home_now.get(name)
    price = own.get(name)
    if price is not None:
        then = home_then.get(name)
        if now is None or then is None or now == then:
            return price, OBSERVED_ON, "published"
        return rounded(price * now / then), OBSERVED_ON, "estimated"
    ratio = ratios.of(name)
    if now is None or ratio is None:
        return None, None, None
    return rounded(now * ratio), OBSERVED_ON, "estimated"


def rounded(price):
    return price.quantize(PRICE_STEP, rounding=ROUND_HALF_EVEN)


# --- Files --------------------------------------------------------------------------------


def region_rows(region, zones, by_zone, described, price_of, observed):
    rows = []
    for name in sorted(set().union(*by_zone.values())):
        price, day, kind = price_of(name)
        offered = [zone for zone in zones if name in by_zone[zone]]
        is_spot = "spot" in described[name]["SupportedUsageClasses"]
        spot = spot_prices(name, offered if is_spot else [], price, observed.get(name))
        row = {
            "type": name,
            "on_demand_usd_per_hour": price,
            "on_demand_as_of": day,
            "on_demand_kind": kind,
            "spot_kind": ("observed" if name in observed else "estimated") if spot else None,
        }
        for zone in zones:
            row[zone] = spot.get(zone, "-") if zone in offered else None
        rows.append({column: text(name, column, value) for column, value in row.items()})
    return rows


def csv(rows):
    return "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n"


def packed(content):
    return gzip.compress(content.encode("ascii"), 9, mtime=0)


def make(wheel, karpenter, history):
    """The contents of all files, by file name."""
    described, offerings = read_offerings(wheel)
    home_now, bandwidths, branches = read_karpenter(karpenter)
    home_now = {name: price for name, price in home_now.items() if price > 0}
    listed, observed = read_history(history)
    government, government_day = read_government(karpenter)
    home_then = listed[REGION]
    contents = {}
    zone_rows = []
    elsewhere = set()
    for region in sorted({*offerings, *ZONES_ALONE} - {REGION}):
        own = listed.get(region, {})
        is_alone = region in ZONES_ALONE
        if is_alone:
            prefix = ZONES_ALONE[region]
            zones = {f"{region}{x}": f"{prefix}-az{n}" for n, x in enumerate(ZONE_LETTERS, 1)}
            named = {*own, *government.get(region, {})} & set(described)
            by_zone = {zone: named for zone in zones}
        else:
            zones, by_zone = offerings[region]
        ratios = Ratios(own, home_then)

        def price_of(name):
            table = government.get(region)
            if table is not None and name in table:
                return table[name], government_day, "published"
            return on_demand(name, own, home_then, home_now, ratios)

        rows = region_rows(region, zones, by_zone, described, price_of, observed[region])
        contents[REGION_FILE.format(region)] = packed(csv(rows))
        elsewhere |= {row["type"] for row in rows}
        for zone, zone_id in zones.items():
            row = (region, zone, zone_id, text(zone, "is_assumed", is_alone))
            zone_rows.append(",".join(row))
        kinds = collections.Counter(row["on_demand_kind"] or "none" for row in rows)
        say(f"{region}: {len(rows)} types, on demand {dict(kinds)}")
    if len(contents) < REGIONS_MIN:
        raise Fault(f"{len(contents)} regions, wanted at least {REGIONS_MIN}")
    contents[ZONES_FILE] = ("region,zone,zone_id,is_assumed\n" + "\n".join(zone_rows) + "\n").encode()
    home = set().union(*offerings[REGION][1].values())
    others = []
    for name in sorted(elsewhere - home):
        info = described[name]
        row = computing(name, info) | storage(info) | network(name, info, bandwidths, branches)
        row |= platform(info)
        others.append({column: text(name, column, value) for column, value in row.items()})
    contents[TYPES_FILE] = csv(others).encode("ascii")
    say(f"{len(others)} types are not sold in {REGION}")
    return contents


def write(contents, directory):
    for name, content in contents.items():
        (directory / name).write_bytes(content)
    say(f"wrote {len(contents)} files, {sum(map(len, contents.values()))} bytes")


def unpacked(content):
    """What is compared: the bytes of gzip differ between versions of zlib."""
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def check(contents, directory):
    for name, content in contents.items():
        path = directory / name
        if not path.is_file() or unpacked(path.read_bytes()) != unpacked(content):
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
        sys.exit(f"regions: {fault}")


if __name__ == "__main__":
    main()
