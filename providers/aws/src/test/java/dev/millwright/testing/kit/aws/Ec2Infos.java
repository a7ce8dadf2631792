package dev.millwright.testing.kit.aws;

import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.instancetype.CatalogueRow;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.spi.ec2.CsvTable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The types of EC2 in us-east-1 as EC2's API would tell them, from the catalogue file.
public record Ec2Infos(
        SequencedMap<String, InstanceTypeInfo> types,
        SequencedMap<String, SortedSet<String>> zonesByType) {

    private static final CsvTable.Source SOURCE =
            new CsvTable.Source("ec2-us-east-1.csv", "providers/sim/tools/catalogue.py");
    private static final Pattern ZONE = Pattern.compile("us-east-1[a-f]");

    public Ec2Infos {
        types = Collections.unmodifiableSequencedMap(new TreeMap<>(types));
        zonesByType = Collections.unmodifiableSequencedMap(new TreeMap<>(zonesByType));
    }

    public static Ec2Infos load() {
        var types = new TreeMap<String, InstanceTypeInfo>();
        var zones = new TreeMap<String, SortedSet<String>>();
        var table = CsvTable.load(Ec2Catalogue.class, SOURCE);
        var zoneNames =
                table.columns().sequencedKeySet().stream()
                        .filter(name -> ZONE.matcher(name).matches())
                        .toList();
        for (var row : table.rows()) {
            var info = CatalogueRow.info(row);
            types.put(info.name(), info);
            var offered = new TreeSet<String>();
            zoneNames.stream().filter(zone -> !row.text(zone).isEmpty()).forEach(offered::add);
            zones.put(info.name(), offered);
        }
        return new Ec2Infos(types, zones);
    }

    public Ec2Infos onlyFamilies(String... families) {
        var wanted = List.of(families);
        var fewer = new TreeMap<>(types);
        fewer.keySet().removeIf(name -> !wanted.contains(name.substring(0, name.indexOf('.'))));
        var zones = new TreeMap<>(zonesByType);
        zones.keySet().retainAll(fewer.keySet());
        return new Ec2Infos(fewer, zones);
    }

    public InstanceTypeInfo type(String name) {
        var found = types.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no type %s in the catalogue".formatted(name));
        }
        return found;
    }
}
