"""The EC2 catalogue of the simulated cloud (docs/reference/catalogue.md): which type is where, and at what price."""

import csv
import pathlib

HERE = pathlib.Path(__file__).resolve()
DIRECTORY = HERE.parents[3] / "providers/sim/src/main/resources/dev/millwright/providers/sim"


class Catalogue:
    def __init__(self, directory=DIRECTORY):
        directory = pathlib.Path(directory)
        with open(directory / "ec2-us-east-1-zones.csv", encoding="ascii") as lines:
            self.zone_ids = {row["zone"]: row["zone_id"] for row in csv.DictReader(lines)}
        with open(directory / "ec2-us-east-1.csv", encoding="ascii") as lines:
            self.rows = {row["type"]: row for row in csv.DictReader(lines)}
        self.zones = {
            name: [zone for zone in self.zone_ids if row[zone]] for name, row in self.rows.items()
        }

    def on_demand(self, type_name):
        """As text, or None."""
        return self.rows[type_name]["on_demand_usd_per_hour"] or None

    def spot(self, type_name, zone):
        """As text, or None: a zone may offer a type without selling it as spot."""
        price = self.rows[type_name].get(zone)
        return price if price and price != "-" else None

    def is_bare_metal(self, type_name):
        return self.rows[type_name]["bare_metal"] == "true"

    def architectures(self, type_name):
        return self.rows[type_name]["architectures"].split("|")
