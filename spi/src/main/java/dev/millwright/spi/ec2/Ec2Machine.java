package dev.millwright.spi.ec2;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// What is known of an instance type before any rule of ours, wherever it was learned.
///
/// @param hypervisor empty for bare metal
/// @param usageClasses how it is sold, e.g. `on-demand`
public record Ec2Machine(
        String name,
        Processor processor,
        long memoryMebibytes,
        List<Gpu> gpus,
        List<Accelerator> accelerators,
        Storage storage,
        Network network,
        String hypervisor,
        List<String> usageClasses) {

    /// @param architectures as EC2 reports them; the order counts
    public record Processor(
            List<String> architectures, String manufacturer, long vcpus, long clockMhz) {

        public Processor {
            architectures = List.copyOf(architectures);
        }
    }

    /// @param count whole GPUs, zero when the guest gets a fraction of one
    public record Gpu(long count, String manufacturer, String name, long memoryMebibytes) {}

    /// @param neuronCores per device; null when the accelerator is no Neuron device
    public record Accelerator(
            long count, String manufacturer, String name, @Nullable Long neuronCores) {}

    /// @param localGigabytes of all local disks together; null without
    /// @param ebsPeakMegabits null where the bandwidth is not there for every instance
    public record Storage(
            @Nullable Long localGigabytes, boolean isNvme, @Nullable Long ebsPeakMegabits) {}

    /// @param interfaces of the default card, the only one the network plugin uses
    /// @param branchInterfaces zero without trunking
    /// @param megabits null where Karpenter's table has no figure
    public record Network(
            long interfaces,
            long addressesPerInterface,
            long efaMax,
            long branchInterfaces,
            @Nullable Long megabits,
            boolean isEncryptedInTransit) {}

    private static final Map<String, String> KUBERNETES_ARCHITECTURES =
            Map.of("x86_64", "amd64", "arm64", "arm64");

    public Ec2Machine {
        gpus = List.copyOf(gpus);
        accelerators = List.copyOf(accelerators);
        usageClasses = List.copyOf(usageClasses);
    }

    /// The first architecture Kubernetes has a word for; otherwise all of them as a text that
    /// matches no pod, as Karpenter does.
    public String architecture() {
        for (var architecture : processor.architectures()) {
            var known = KUBERNETES_ARCHITECTURES.get(architecture);
            if (known != null) {
                return known;
            }
        }
        return processor.architectures().toString();
    }

    public boolean isSoldAs(String capacityType) {
        return usageClasses.contains(capacityType);
    }
}
