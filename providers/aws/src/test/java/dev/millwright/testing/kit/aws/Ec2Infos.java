package dev.millwright.testing.kit.aws;

import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Accelerator;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Gpu;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Network;
import dev.millwright.providers.aws.api.InstanceTypeInfo.NeuronDevice;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Processor;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Storage;
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
    private static final Pattern SEPARATOR = Pattern.compile("\\|");
    private static final double MEGAHERTZ = 1_000;

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
            var info = info(row);
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

    private static InstanceTypeInfo info(CsvTable.Row row) {
        return new InstanceTypeInfo(
                row.required("type"),
                new Processor(
                        row.list("architectures"),
                        row.required("cpu_manufacturer"),
                        row.whole("vcpus"),
                        row.whole("clock_mhz") / MEGAHERTZ,
                        row.flag("nested_virtualization")
                                ? List.of("nested-virtualization")
                                : List.of()),
                row.whole("memory_mib"),
                gpus(row),
                accelerators(row),
                neuronDevices(row),
                storage(row),
                network(row),
                row.text("hypervisor"),
                row.flag("bare_metal"),
                row.list("usage_classes"),
                list(row.text("placement")),
                row.flag("nitro_enclaves"));
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(SEPARATOR.split(text));
    }

    private static List<Gpu> gpus(CsvTable.Row row) {
        return row.text("gpu_name").isEmpty()
                ? List.of()
                : List.of(
                        new Gpu(
                                row.required("gpu_name"),
                                row.required("gpu_manufacturer"),
                                row.whole("gpus"),
                                row.whole("gpu_memory_mib")));
    }

    private static boolean isNeuron(CsvTable.Row row) {
        return row.whole("neuron_cores_per_accelerator") > 0;
    }

    private static List<Accelerator> accelerators(CsvTable.Row row) {
        return row.whole("accelerators") == 0 || isNeuron(row)
                ? List.of()
                : List.of(
                        new Accelerator(
                                row.required("accelerator_name"),
                                row.required("accelerator_manufacturer"),
                                row.whole("accelerators")));
    }

    private static List<NeuronDevice> neuronDevices(CsvTable.Row row) {
        return isNeuron(row)
                ? List.of(
                        new NeuronDevice(
                                row.required("accelerator_name"),
                                row.whole("accelerators"),
                                row.whole("neuron_cores_per_accelerator")))
                : List.of();
    }

    private static Storage storage(CsvTable.Row row) {
        var gigabytes = row.whole("local_storage_gb");
        var nvme = row.flag("local_storage_nvme") ? "required" : "unsupported";
        return new Storage(
                gigabytes,
                gigabytes == 0 ? "" : nvme,
                row.required("ebs_optimized"),
                row.wholeOrNull("ebs_peak_mbps"));
    }

    private static Network network(CsvTable.Row row) {
        return new Network(
                row.wholes("interfaces_per_card"),
                0,
                row.whole("ipv4_per_interface"),
                row.whole("efa_max"),
                row.required("ena"),
                row.flag("encryption_in_transit"));
    }
}
