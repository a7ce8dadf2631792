package dev.millwright.spi.ec2;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The labels a node of an EC2 type may carry, as far as the machine alone decides them, and those
/// of its offerings.
///
/// A label the type cannot have is required *not* to exist: were the key left out, a pod that asks
/// for, say, a GPU would be thought to be at home anywhere.
public final class Ec2Requirements {

    /// Category, terabytes of the high-memory types, generation: `u-24tb1.metal` is `u`, 1.
    private static final Pattern NAME = Pattern.compile("^([a-z]+)(-[0-9]+tb)?([0-9]+).*\\.");

    private static final List<String> BOUGHT_CAPACITY_TYPES =
            List.of(LabelKeys.CAPACITY_TYPE_ON_DEMAND, LabelKeys.CAPACITY_TYPE_SPOT);

    private Ec2Requirements() {}

    /// All but operating system, place, capacity type, reservations and placement group.
    public static List<Requirement> of(Ec2Machine machine) {
        var all = new ArrayList<Requirement>();
        all.add(in(LabelKeys.INSTANCE_TYPE, machine.name()));
        all.add(in(LabelKeys.ARCH, machine.architecture()));
        all.add(in(Ec2Labels.TENANCY, Ec2Labels.TENANCIES));
        all.addAll(name(machine.name()));
        all.addAll(machine(machine));
        all.addAll(gpu(only(machine.gpus())));
        all.addAll(accelerator(only(machine.accelerators())));
        return all;
    }

    /// How the type can be bought, reservations aside.
    public static List<String> capacityTypes(Ec2Machine machine) {
        return BOUGHT_CAPACITY_TYPES.stream().filter(machine::isSoldAs).toList();
    }

    /// Of what is bought without a reservation.
    ///
    /// @param zoneId null in a zone that none of our nodes may be in
    public static Requirements offering(String capacityType, String zone, @Nullable String zoneId) {
        var all = new ArrayList<Requirement>();
        all.add(in(LabelKeys.CAPACITY_TYPE, capacityType));
        all.add(in(LabelKeys.ZONE, zone));
        all.addAll(withoutReservation());
        if (zoneId != null) {
            all.add(in(Ec2Labels.ZONE_ID, zoneId));
        }
        return Requirements.of(all);
    }

    public static List<Requirement> withoutReservation() {
        return absent(
                Ec2Labels.RESERVATION_ID,
                Ec2Labels.RESERVATION_TYPE,
                Ec2Labels.RESERVATION_INTERRUPTIBLE);
    }

    private static List<Requirement> name(String name) {
        var dot = name.indexOf('.');
        var family = dot < 0 ? name : name.substring(0, dot);
        var parts = NAME.matcher(name);
        var isRegular = parts.find();
        return List.of(
                dot < 0 ? Requirement.doesNotExist(Ec2Labels.FAMILY) : in(Ec2Labels.FAMILY, family),
                dot < 0
                        ? Requirement.doesNotExist(Ec2Labels.SIZE)
                        : in(Ec2Labels.SIZE, name.substring(dot + 1)),
                in(Ec2Labels.FLEX, Boolean.toString(family.contains("-flex"))),
                isRegular
                        ? in(Ec2Labels.CATEGORY, parts.group(1))
                        : Requirement.doesNotExist(Ec2Labels.CATEGORY),
                isRegular
                        ? in(Ec2Labels.GENERATION, parts.group(3))
                        : Requirement.doesNotExist(Ec2Labels.GENERATION));
    }

    private static List<Requirement> machine(Ec2Machine machine) {
        var processor = machine.processor();
        var storage = machine.storage();
        return List.of(
                in(Ec2Labels.CPU, Long.toString(processor.vcpus())),
                in(Ec2Labels.CPU_MANUFACTURER, kebab(processor.manufacturer())),
                in(Ec2Labels.CPU_CLOCK, Long.toString(processor.clockMhz())),
                in(Ec2Labels.MEMORY, Long.toString(machine.memoryMebibytes())),
                optional(Ec2Labels.EBS_BANDWIDTH, storage.ebsPeakMegabits()),
                optional(Ec2Labels.NETWORK_BANDWIDTH, machine.network().megabits()),
                optional(Ec2Labels.LOCAL_NVME, storage.isNvme() ? storage.localGigabytes() : null),
                in(Ec2Labels.HYPERVISOR, machine.hypervisor()),
                in(
                        Ec2Labels.ENCRYPTION_IN_TRANSIT,
                        Boolean.toString(machine.network().isEncryptedInTransit())));
    }

    private static List<Requirement> gpu(Ec2Machine.@Nullable Gpu gpu) {
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

    private static List<Requirement> accelerator(Ec2Machine.@Nullable Accelerator accelerator) {
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

    /// A machine with several kinds of a device has no label of any of them.
    private static <T> @Nullable T only(List<T> devices) {
        return devices.size() == 1 ? devices.getFirst() : null;
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
