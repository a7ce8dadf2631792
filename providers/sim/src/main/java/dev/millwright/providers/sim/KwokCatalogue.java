package dev.millwright.providers.sim;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The 144 generic types of Karpenter's kwok provider, for clusters whose nodes do not exist.
///
/// They are computed, not read: every figure follows from the number of CPUs, the family, the
/// operating system and the architecture.
public final class KwokCatalogue {

    private static final String DOMAIN = "karpenter.kwok.sh";

    public static final String SIZE = DOMAIN + "/instance-size";
    public static final String FAMILY = DOMAIN + "/instance-family";
    public static final String CPU = DOMAIN + "/instance-cpu";
    public static final String MEMORY = DOMAIN + "/instance-memory";

    /// Core's words and kwok's.
    public static final LabelVocabulary VOCABULARY =
            LabelVocabulary.CORE
                    .withWellKnown(List.of(SIZE, FAMILY, CPU, MEMORY))
                    .withRestrictedDomain(DOMAIN);

    private static final List<String> ZONES =
            List.of("test-zone-a", "test-zone-b", "test-zone-c", "test-zone-d");
    private static final List<Integer> CPUS =
            List.of(1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256);
    private static final List<String> OPERATING_SYSTEMS = List.of("linux", "windows");
    private static final List<String> ARCHITECTURES = List.of("amd64", "arm64");

    private static final int PODS_PER_CPU = 16;
    private static final int PODS_MAX = 1_024;
    private static final double CPU_PRICE = 0.025;
    private static final double GIGABYTE_PRICE = 0.001;
    private static final double SPOT_SHARE = 0.7;

    static final Overhead OVERHEAD =
            Overhead.ofKubeReserved(Resources.parse("cpu", "100m", "memory", "10Mi"));

    private enum Family {
        COMPUTE("c", 2),
        STANDARD("s", 4),
        MEMORY("m", 8);

        private final String letter;
        private final int gibibytesPerCpu;

        Family(String letter, int gibibytesPerCpu) {
            this.letter = letter;
            this.gibibytesPerCpu = gibibytesPerCpu;
        }
    }

    private KwokCatalogue() {}

    /// All types by name.
    public static List<InstanceType> instanceTypes() {
        var types = new ArrayList<InstanceType>();
        for (var cpu : CPUS) {
            for (var family : Family.values()) {
                for (var operatingSystem : OPERATING_SYSTEMS) {
                    for (var architecture : ARCHITECTURES) {
                        types.add(type(family, cpu, architecture, operatingSystem));
                    }
                }
            }
        }
        types.sort(Comparator.comparing(InstanceType::name));
        return List.copyOf(types);
    }

    private static InstanceType type(
            Family family, int cpu, String architecture, String operatingSystem) {
        var name = "%s-%dx-%s-%s".formatted(family.letter, cpu, architecture, operatingSystem);
        var memory = Quantity.ofUnits(((long) cpu * family.gibibytesPerCpu) << 30);
        var capacity =
                Resources.of(Resources.CPU, Quantity.ofUnits(cpu))
                        .with(Resources.MEMORY, memory)
                        .with(
                                Resources.PODS,
                                Quantity.ofUnits(Math.min(cpu * PODS_PER_CPU, PODS_MAX)))
                        .with(Resources.EPHEMERAL_STORAGE, Quantity.ofUnits(20L << 30));
        var requirements =
                Requirements.of(
                        Requirement.in(LabelKeys.INSTANCE_TYPE, name),
                        Requirement.in(LabelKeys.ARCH, architecture),
                        Requirement.in(LabelKeys.OS, operatingSystem),
                        Requirement.of(LabelKeys.ZONE, Operator.IN, null, ZONES),
                        Requirement.in(
                                LabelKeys.CAPACITY_TYPE,
                                LabelKeys.CAPACITY_TYPE_ON_DEMAND,
                                LabelKeys.CAPACITY_TYPE_SPOT),
                        Requirement.in(SIZE, Integer.toString(cpu)),
                        Requirement.in(FAMILY, family.letter),
                        Requirement.in(CPU, Integer.toString(cpu)),
                        Requirement.in(MEMORY, memory.toBinaryString()));
        return new InstanceType(name, requirements, offerings(cpu, memory), capacity, OVERHEAD);
    }

    private static List<Offering> offerings(int cpu, Quantity memory) {
        var price = CPU_PRICE * cpu + GIGABYTE_PRICE * memory.toDouble() / 1e9;
        var offerings = new ArrayList<Offering>();
        for (var zone : ZONES) {
            offerings.add(Offering.of(zone, LabelKeys.CAPACITY_TYPE_ON_DEMAND, price));
            offerings.add(Offering.of(zone, LabelKeys.CAPACITY_TYPE_SPOT, price * SPOT_SHARE));
        }
        return offerings;
    }
}
