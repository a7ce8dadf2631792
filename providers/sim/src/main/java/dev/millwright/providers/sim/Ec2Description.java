package dev.millwright.providers.sim;

import dev.millwright.spi.ec2.CatalogueFormatException;
import dev.millwright.spi.ec2.CsvTable;
import dev.millwright.spi.ec2.Ec2Machine;
import dev.millwright.spi.ec2.Ec2Machine.Accelerator;
import dev.millwright.spi.ec2.Ec2Machine.Gpu;
import dev.millwright.spi.ec2.Ec2Machine.Network;
import dev.millwright.spi.ec2.Ec2Machine.Processor;
import dev.millwright.spi.ec2.Ec2Machine.Storage;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;

/// One row of the catalogue file: a machine, and where it is sold for how much.
///
/// @param onDemandUsdPerHour null when no price is known: such a type is listed, never launched
/// @param zones where the type is offered, by zone name
/// @param origins how its prices are known
record Ec2Description(
        Ec2Machine machine,
        @Nullable BigDecimal onDemandUsdPerHour,
        List<ZoneOffer> zones,
        Origins origins) {

    /// @param onDemandAsOf the day of the on-demand price, or of the prices it was worked out from
    record Origins(String onDemandAsOf, boolean isOnDemandPublished, boolean isSpotObserved) {}

    /// @param spotUsdPerHour null when the zone has no spot price
    record ZoneOffer(String zone, @Nullable BigDecimal spotUsdPerHour) {}

    /// What a zone's field holds when the zone offers the type but asks no spot price.
    private static final String OFFERED_WITHOUT_SPOT = "-";

    Ec2Description {
        zones = List.copyOf(zones);
    }

    /// @param day of the on-demand prices
    /// @throws CatalogueFormatException when a field does not hold what its column promises
    static Ec2Description read(CsvTable.Row row, List<String> zones, String day) {
        return new Ec2Description(
                machine(row),
                row.price("on_demand_usd_per_hour"),
                offers(row, zones),
                new Origins(day, true, !row.text("spot_interruption").isEmpty()));
    }

    /// A type of the table for all regions, as one region's file sells it.
    static Ec2Description read(CsvTable.Row type, CsvTable.Row sold, List<String> zones) {
        return new Ec2Description(
                machine(type),
                sold.price("on_demand_usd_per_hour"),
                offers(sold, zones),
                new Origins(
                        sold.text("on_demand_as_of"),
                        sold.text("on_demand_kind").equals("published"),
                        sold.text("spot_kind").equals("observed")));
    }

    private static List<ZoneOffer> offers(CsvTable.Row row, List<String> zones) {
        return zones.stream()
                .filter(zone -> !row.text(zone).isEmpty())
                .map(zone -> zoneOffer(row, zone))
                .toList();
    }

    private static Ec2Machine machine(CsvTable.Row row) {
        return new Ec2Machine(
                row.required("type"),
                processor(row),
                row.whole("memory_mib"),
                gpus(row),
                accelerators(row),
                storage(row),
                network(row),
                row.text("hypervisor"),
                row.list("usage_classes"));
    }

    private static Processor processor(CsvTable.Row row) {
        return new Processor(
                row.list("architectures"),
                row.required("cpu_manufacturer"),
                row.whole("vcpus"),
                row.whole("clock_mhz"));
    }

    private static List<Gpu> gpus(CsvTable.Row row) {
        // The name, not the count, tells: a fraction of a GPU counts as zero of them.
        return row.text("gpu_name").isEmpty()
                ? List.of()
                : List.of(
                        new Gpu(
                                row.whole("gpus"),
                                row.required("gpu_manufacturer"),
                                row.required("gpu_name"),
                                row.whole("gpu_memory_mib")));
    }

    private static List<Accelerator> accelerators(CsvTable.Row row) {
        var neuronCores = row.whole("neuron_cores_per_accelerator");
        return row.whole("accelerators") == 0
                ? List.of()
                : List.of(
                        new Accelerator(
                                row.whole("accelerators"),
                                row.required("accelerator_manufacturer"),
                                row.required("accelerator_name"),
                                neuronCores == 0 ? null : neuronCores));
    }

    private static Storage storage(CsvTable.Row row) {
        var isEbsOptimized = row.required("ebs_optimized").equals("default");
        var localGigabytes = row.whole("local_storage_gb");
        return new Storage(
                localGigabytes == 0 ? null : localGigabytes,
                row.flag("local_storage_nvme"),
                isEbsOptimized ? row.wholeOrNull("ebs_peak_mbps") : null);
    }

    private static Network network(CsvTable.Row row) {
        return new Network(
                row.wholes("interfaces_per_card").getFirst(),
                row.whole("ipv4_per_interface"),
                row.whole("efa_max"),
                row.wholeOrZero("branch_interfaces"),
                row.wholeOrNull("network_mbps"),
                row.flag("encryption_in_transit"));
    }

    private static ZoneOffer zoneOffer(CsvTable.Row row, String zone) {
        return row.text(zone).equals(OFFERED_WITHOUT_SPOT)
                ? new ZoneOffer(zone, null)
                : new ZoneOffer(zone, row.price(zone));
    }

    String name() {
        return machine.name();
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
