package dev.millwright.providers.aws.instancetype;

import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Accelerator;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Gpu;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Network;
import dev.millwright.providers.aws.api.InstanceTypeInfo.NeuronDevice;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Processor;
import dev.millwright.providers.aws.api.InstanceTypeInfo.Storage;
import dev.millwright.spi.ec2.CsvTable;

import java.util.List;
import java.util.regex.Pattern;

/// A type as EC2's API would describe it, from a row of the catalogue: for who plans without an
/// account.
public final class CatalogueRow {

    private static final Pattern SEPARATOR = Pattern.compile("\\|");
    private static final double MEGAHERTZ = 1_000;

    private CatalogueRow() {}

    public static InstanceTypeInfo info(CsvTable.Row row) {
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
