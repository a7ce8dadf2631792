package dev.millwright.cli.demo;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.spi.ec2.Ec2Labels;

import java.util.List;
import java.util.regex.Pattern;

/// What the demo's cloud sells: EC2's usual machines of up to 32 cores in three zones. The whole
/// catalogue would take most of a small computer's time and show nothing more.
final class MachinesForSale {

    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-east-1c");

    /// Compute, general purpose and memory, by AMD or Intel, without disks of their own.
    private static final Pattern FAMILY = Pattern.compile("[cmr][5-9][ai]?n?(-flex)?");

    private static final int CORES_MAX = 32;

    private MachinesForSale() {}

    static List<InstanceType> types() {
        return Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT.withZones(ZONES)).stream()
                .filter(MachinesForSale::isUsual)
                .toList();
    }

    private static boolean isUsual(InstanceType type) {
        return FAMILY.matcher(value(type, Ec2Labels.FAMILY)).matches()
                && Integer.parseInt(value(type, Ec2Labels.CPU)) <= CORES_MAX;
    }

    private static String value(InstanceType type, String key) {
        var values = type.requirements().on(key).values();
        return values.isEmpty() ? "0" : values.getFirst();
    }
}
