package dev.millwright.providers.sim;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/// One row of the catalogue file: what EC2 says about an instance type, before any rule of ours.
///
/// @param gpu null without a GPU
/// @param accelerator null without a Neuron device or an inference accelerator
/// @param onDemandUsdPerHour null when no price is known: such a type is listed, never launched
/// @param zones where the type is offered, by zone name
record Ec2Description(
        String name,
        Processor processor,
        long memoryMebibytes,
        @Nullable Gpu gpu,
        @Nullable Accelerator accelerator,
        Storage storage,
        Network network,
        Platform platform,
        @Nullable BigDecimal onDemandUsdPerHour,
        List<ZoneOffer> zones) {

    /// @param architectures as EC2 reports them; the order counts
    record Processor(List<String> architectures, String manufacturer, long vcpus, long clockMhz) {

        Processor {
            architectures = List.copyOf(architectures);
        }
    }

    /// @param count whole GPUs, zero when the guest gets a fraction of one
    record Gpu(long count, String manufacturer, String name, long memoryMebibytes) {}

    /// @param neuronCores per device; zero when the accelerator is no Neuron device
    record Accelerator(long count, String manufacturer, String name, long neuronCores) {}

    /// @param localGigabytes of all local disks together; zero without
    /// @param ebsPeakMegabits null when EC2 says none
    record Storage(
            long localGigabytes,
            boolean isNvme,
            String ebsOptimized,
            @Nullable Long ebsPeakMegabits) {}

    /// @param interfacesPerCard card 0, the default one, first
    /// @param branchInterfaces zero without trunking
    /// @param megabits null where Karpenter's table has no figure
    record Network(
            List<Long> interfacesPerCard,
            long addressesPerInterface,
            long efaMax,
            long branchInterfaces,
            @Nullable Long megabits,
            boolean isEncryptedInTransit) {

        Network {
            interfacesPerCard = List.copyOf(interfacesPerCard);
        }
    }

    /// @param hypervisor empty for bare metal
    record Platform(String hypervisor, List<String> usageClasses) {

        Platform {
            usageClasses = List.copyOf(usageClasses);
        }
    }

    /// @param spotUsdPerHour null when the zone has no spot price
    record ZoneOffer(String zone, @Nullable BigDecimal spotUsdPerHour) {}

    /// What a zone's field holds when the zone offers the type but asks no spot price.
    private static final String OFFERED_WITHOUT_SPOT = "-";

    private static final Map<String, String> KUBERNETES_ARCHITECTURES =
            Map.of("x86_64", "amd64", "arm64", "arm64");

    Ec2Description {
        zones = List.copyOf(zones);
    }

    /// @throws CatalogueFormatException when a field does not hold what its column promises
    static Ec2Description read(CsvTable.Row row, List<String> zones) {
        return new Ec2Description(
                row.required("type"),
                processor(row),
                row.whole("memory_mib"),
                gpu(row),
                accelerator(row),
                storage(row),
                network(row),
                platform(row),
                row.price("on_demand_usd_per_hour"),
                zones.stream()
                        .filter(zone -> !row.text(zone).isEmpty())
                        .map(zone -> zoneOffer(row, zone))
                        .toList());
    }

    private static Processor processor(CsvTable.Row row) {
        return new Processor(
                row.list("architectures"),
                row.required("cpu_manufacturer"),
                row.whole("vcpus"),
                row.whole("clock_mhz"));
    }

    private static @Nullable Gpu gpu(CsvTable.Row row) {
        // The name, not the count, tells: a fraction of a GPU counts as zero of them.
        return row.text("gpu_name").isEmpty()
                ? null
                : new Gpu(
                        row.whole("gpus"),
                        row.required("gpu_manufacturer"),
                        row.required("gpu_name"),
                        row.whole("gpu_memory_mib"));
    }

    private static @Nullable Accelerator accelerator(CsvTable.Row row) {
        return row.whole("accelerators") == 0
                ? null
                : new Accelerator(
                        row.whole("accelerators"),
                        row.required("accelerator_manufacturer"),
                        row.required("accelerator_name"),
                        row.whole("neuron_cores_per_accelerator"));
    }

    private static Storage storage(CsvTable.Row row) {
        return new Storage(
                row.whole("local_storage_gb"),
                row.flag("local_storage_nvme"),
                row.required("ebs_optimized"),
                row.wholeOrNull("ebs_peak_mbps"));
    }

    private static Network network(CsvTable.Row row) {
        return new Network(
                row.wholes("interfaces_per_card"),
                row.whole("ipv4_per_interface"),
                row.whole("efa_max"),
                row.wholeOrZero("branch_interfaces"),
                row.wholeOrNull("network_mbps"),
                row.flag("encryption_in_transit"));
    }

    private static Platform platform(CsvTable.Row row) {
        return new Platform(row.text("hypervisor"), row.list("usage_classes"));
    }

    private static ZoneOffer zoneOffer(CsvTable.Row row, String zone) {
        return row.text(zone).equals(OFFERED_WITHOUT_SPOT)
                ? new ZoneOffer(zone, null)
                : new ZoneOffer(zone, row.price(zone));
    }

    /// The first architecture Kubernetes has a word for; otherwise all of them as a text that
    /// matches no pod, as Karpenter does.
    String architecture() {
        for (var architecture : processor.architectures()) {
            var known = KUBERNETES_ARCHITECTURES.get(architecture);
            if (known != null) {
                return known;
            }
        }
        return processor.architectures().toString();
    }

    boolean isSoldAs(String capacityType) {
        return platform.usageClasses().contains(capacityType);
    }

    /// What the zone offers, or null when it does not have the type.
    @Nullable ZoneOffer zone(String wanted) {
        for (var offer : zones) {
            if (offer.zone().equals(wanted)) {
                return offer;
            }
        }
        return null;
    }
}
