package dev.millwright.providers.aws.api;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What EC2 says about an instance type, before any rule of ours.
///
/// @param hypervisor empty for bare metal
/// @param usageClasses e.g. on-demand, spot, capacity-block
/// @param placementStrategies e.g. cluster, partition, spread
/// @param hasEnclaves whether Nitro Enclaves are supported
public record InstanceTypeInfo(
        String name,
        Processor processor,
        long memoryMebibytes,
        List<Gpu> gpus,
        List<Accelerator> accelerators,
        List<NeuronDevice> neuronDevices,
        Storage storage,
        Network network,
        String hypervisor,
        boolean isBareMetal,
        List<String> usageClasses,
        List<String> placementStrategies,
        boolean hasEnclaves) {

    public InstanceTypeInfo {
        gpus = List.copyOf(gpus);
        accelerators = List.copyOf(accelerators);
        neuronDevices = List.copyOf(neuronDevices);
        usageClasses = List.copyOf(usageClasses);
        placementStrategies = List.copyOf(placementStrategies);
    }

    /// @param architectures as EC2 reports them; the order counts
    /// @param manufacturer empty when EC2 says none
    /// @param clockGigahertz zero when EC2 says none
    public record Processor(
            List<String> architectures,
            String manufacturer,
            long vcpus,
            double clockGigahertz,
            List<String> features) {

        public Processor {
            architectures = List.copyOf(architectures);
            features = List.copyOf(features);
        }
    }

    public record Gpu(String name, String manufacturer, long count, long memoryMebibytes) {}

    /// An inference accelerator of the old kind.
    public record Accelerator(String name, String manufacturer, long count) {}

    public record NeuronDevice(String name, long count, long coresPerDevice) {}

    /// @param localGigabytes of all local disks together; zero without
    /// @param nvmeSupport `unsupported`, `supported` or `required`; empty without local disks
    /// @param ebsOptimizedSupport `unsupported`, `supported` or `default`
    /// @param ebsPeakMegabits null when EC2 says none
    public record Storage(
            long localGigabytes,
            String nvmeSupport,
            String ebsOptimizedSupport,
            @Nullable Long ebsPeakMegabits) {}

    /// @param interfacesPerCard by the card's index
    /// @param enaSupport `unsupported`, `supported` or `required`
    public record Network(
            List<Long> interfacesPerCard,
            int defaultCard,
            long addressesPerInterface,
            long efaMax,
            String enaSupport,
            boolean isEncryptedInTransit) {

        public Network {
            interfacesPerCard = List.copyOf(interfacesPerCard);
        }
    }
}
