package dev.millwright.providers.sim;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The labels a node of an EC2 type may carry.
///
/// A label the type cannot have is required *not* to exist: were the key left out, a pod that asks
/// for, say, a GPU would be thought to be at home anywhere.
final class Ec2Requirements {

    /// Category, terabytes of the high-memory types, generation: `u-24tb1.metal` is `u`, 1.
    private static final Pattern NAME = Pattern.compile("^([a-z]+)(-[0-9]+tb)?([0-9]+).*\\.");

    private Ec2Requirements() {}

    /// @param zoneIds the ids of the zones that nodes may be in, by zone name
    static Requirements of(
            Ec2Description type, String region, SequencedMap<String, String> zoneIds) {
        var zones =
                type.zones().stream()
                        .map(Ec2Description.ZoneOffer::zone)
                        .filter(zoneIds::containsKey)
                        .toList();
        var all = new ArrayList<Requirement>();
        all.add(in(LabelKeys.INSTANCE_TYPE, type.name()));
        all.add(in(LabelKeys.ARCH, type.architecture()));
        all.add(in(LabelKeys.OS, "linux"));
        all.add(Requirement.doesNotExist(LabelKeys.WINDOWS_BUILD));
        all.add(in(LabelKeys.REGION, region));
        all.add(in(LabelKeys.ZONE, zones));
        if (!zones.isEmpty()) {
            all.add(in(Ec2Labels.ZONE_ID, zones.stream().map(zoneIds::get).toList()));
        }
        all.add(in(LabelKeys.CAPACITY_TYPE, capacityTypes(type)));
        all.add(Requirement.doesNotExist(Ec2Labels.RESERVATION_ID));
        all.add(Requirement.doesNotExist(Ec2Labels.RESERVATION_TYPE));
        all.add(Requirement.doesNotExist(Ec2Labels.RESERVATION_INTERRUPTIBLE));
        all.add(in(Ec2Labels.TENANCY, Ec2Labels.TENANCIES));
        all.addAll(name(type.name()));
        all.addAll(machine(type));
        all.addAll(gpu(type.gpu()));
        all.addAll(accelerator(type.accelerator()));
        return Requirements.of(all);
    }

    static List<String> capacityTypes(Ec2Description type) {
        return Stream.of(LabelKeys.CAPACITY_TYPE_ON_DEMAND, LabelKeys.CAPACITY_TYPE_SPOT)
                .filter(type::isSoldAs)
                .toList();
    }

    private static List<Requirement> name(String name) {
        var dot = name.indexOf('.');
        var family = name.substring(0, dot);
        var parts = NAME.matcher(name);
        var isRegular = parts.find();
        return List.of(
                in(Ec2Labels.FAMILY, family),
                in(Ec2Labels.SIZE, name.substring(dot + 1)),
                in(Ec2Labels.FLEX, Boolean.toString(family.contains("-flex"))),
                isRegular
                        ? in(Ec2Labels.CATEGORY, parts.group(1))
                        : Requirement.doesNotExist(Ec2Labels.CATEGORY),
                isRegular
                        ? in(Ec2Labels.GENERATION, parts.group(3))
                        : Requirement.doesNotExist(Ec2Labels.GENERATION));
    }

    private static List<Requirement> machine(Ec2Description type) {
        var processor = type.processor();
        var storage = type.storage();
        var isEbsOptimized = storage.ebsOptimized().equals("default");
        return List.of(
                in(Ec2Labels.CPU, Long.toString(processor.vcpus())),
                in(Ec2Labels.CPU_MANUFACTURER, kebab(processor.manufacturer())),
                in(Ec2Labels.CPU_CLOCK, Long.toString(processor.clockMhz())),
                in(Ec2Labels.MEMORY, Long.toString(type.memoryMebibytes())),
                optional(
                        Ec2Labels.EBS_BANDWIDTH, isEbsOptimized ? storage.ebsPeakMegabits() : null),
                optional(Ec2Labels.NETWORK_BANDWIDTH, type.network().megabits()),
                optional(Ec2Labels.LOCAL_NVME, storage.isNvme() ? storage.localGigabytes() : null),
                in(Ec2Labels.HYPERVISOR, type.platform().hypervisor()),
                in(
                        Ec2Labels.ENCRYPTION_IN_TRANSIT,
                        Boolean.toString(type.network().isEncryptedInTransit())));
    }

    private static List<Requirement> gpu(Ec2Description.@Nullable Gpu gpu) {
        return gpu == null
                ? absent(
                        Ec2Labels.GPU_NAME,
                        Ec2Labels.GPU_MANUFACTURER,
                        Ec2Labels.GPU_COUNT,
                        Ec2Labels.GPU_MEMORY)
                : List.of(
                        in(Ec2Labels.GPU_NAME, kebab(gpu.name())),
                        in(Ec2Labels.GPU_MANUFACTURER, kebab(gpu.manufacturer())),
                        in(Ec2Labels.GPU_COUNT, Long.toString(gpu.count())),
                        in(Ec2Labels.GPU_MEMORY, Long.toString(gpu.memoryMebibytes())));
    }

    private static List<Requirement> accelerator(Ec2Description.@Nullable Accelerator accelerator) {
        return accelerator == null
                ? absent(
                        Ec2Labels.ACCELERATOR_NAME,
                        Ec2Labels.ACCELERATOR_MANUFACTURER,
                        Ec2Labels.ACCELERATOR_COUNT)
                : List.of(
                        in(Ec2Labels.ACCELERATOR_NAME, kebab(accelerator.name())),
                        in(Ec2Labels.ACCELERATOR_MANUFACTURER, kebab(accelerator.manufacturer())),
                        in(Ec2Labels.ACCELERATOR_COUNT, Long.toString(accelerator.count())));
    }

    private static List<Requirement> absent(String... keys) {
        return Stream.of(keys).map(Requirement::doesNotExist).toList();
    }

    private static Requirement optional(String key, @Nullable Long value) {
        return value == null ? Requirement.doesNotExist(key) : in(key, Long.toString(value));
    }

    private static Requirement in(String key, String value) {
        return Requirement.in(key, value);
    }

    private static Requirement in(String key, List<String> values) {
        return Requirement.of(key, Operator.IN, null, values);
    }

    private static String kebab(String text) {
        return text.replace(' ', '-').toLowerCase(Locale.ROOT);
    }
}
