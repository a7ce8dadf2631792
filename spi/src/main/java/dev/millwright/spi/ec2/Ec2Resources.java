package dev.millwright.spi.ec2;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// How much an EC2 instance has and how much of it the system keeps, as far as no choice of a
/// machine image enters.
///
/// A resource the type does not have is listed as zero, so that a pod asking for it is told "too
/// small" rather than "unknown".
public final class Ec2Resources {

    public static final String POD_ENI = "vpc.amazonaws.com/pod-eni";
    public static final String EFA = "vpc.amazonaws.com/efa";
    public static final String PRIVATE_IPV4_ADDRESS = "vpc.amazonaws.com/PrivateIPv4Address";
    public static final String NVIDIA_GPU = "nvidia.com/gpu";
    public static final String AMD_GPU = "amd.com/gpu";
    public static final String HABANA_GAUDI = "habana.ai/gaudi";
    public static final String NEURON = "aws.amazon.com/neuron";
    public static final String NEURON_CORE = "aws.amazon.com/neuroncore";

    /// What must stay free on a node, or the kubelet evicts.
    public static final Quantity EVICTION_MEMORY = mebibytes(100);

    public static final BigDecimal EVICTION_STORAGE_PERCENT = BigDecimal.TEN;

    /// Root volume of a node when nothing says otherwise.
    public static final Quantity ROOT_VOLUME = Quantity.ofUnits(20L << 30);

    private static final long BYTES_PER_MEBIBYTE = 1L << 20;

    /// Memory that Graviton machines set aside for contiguous allocations; no guest sees it.
    private static final long ARM_RESERVED_MEBIBYTES = 64;

    private static final Quantity KUBE_STORAGE = Quantity.ofUnits(1L << 30);
    private static final long KUBE_MEBIBYTES_PER_POD = 11;
    private static final long KUBE_MEBIBYTES_FIXED = 255;

    /// The kubelet's share of each slice of the CPUs, in ten-thousandths.
    private enum CpuSlice {
        FIRST_CORE(0, 1_000, 600),
        SECOND_CORE(1_000, 2_000, 100),
        NEXT_TWO(2_000, 4_000, 50),
        REST(4_000, Long.MAX_VALUE, 25);

        private final long fromMillis;
        private final long toMillis;
        private final long share;

        CpuSlice(long fromMillis, long toMillis, long share) {
            this.fromMillis = fromMillis;
            this.toMillis = toMillis;
            this.share = share;
        }

        long reservedMillis(long cpuMillis) {
            var within = Math.min(cpuMillis, toMillis) - fromMillis;
            return within <= 0 ? 0 : within * share / 10_000;
        }
    }

    private Ec2Resources() {}

    /// CPUs and devices.
    public static Resources hardware(Ec2Machine machine) {
        return Resources.of(Resources.CPU, Quantity.ofUnits(machine.processor().vcpus()))
                .with(POD_ENI, Quantity.ofUnits(machine.network().branchInterfaces()))
                .with(NVIDIA_GPU, gpus(machine, "NVIDIA"))
                .with(AMD_GPU, gpus(machine, "AMD"))
                .with(HABANA_GAUDI, gpus(machine, "Habana"))
                .with(NEURON, Quantity.ofUnits(neuronDevices(machine)))
                .with(NEURON_CORE, Quantity.ofUnits(neuronCores(machine)));
    }

    /// What a guest sees of the memory.
    ///
    /// @param overhead the share that the hypervisor keeps, e.g. 0.075
    public static Quantity memory(Ec2Machine machine, BigDecimal overhead) {
        var architectures = machine.processor().architectures();
        var isArm = !architectures.isEmpty() && architectures.getFirst().equals("arm64");
        var visible = machine.memoryMebibytes() - (isArm ? ARM_RESERVED_MEBIBYTES : 0);
        var kept =
                BigDecimal.valueOf(visible)
                        .multiply(overhead)
                        .setScale(0, RoundingMode.CEILING)
                        .longValueExact();
        return mebibytes(visible - kept);
    }

    /// The network plugin uses the default card only and gives each interface's first address to
    /// the interface itself; two pods use the host's network.
    ///
    /// @param interfacesTaken those the plugin may not use
    public static long interfaceLimitedPods(Ec2Machine machine, long interfacesTaken) {
        var network = machine.network();
        var usable = network.interfaces() - interfacesTaken;
        return usable <= 0 ? 0 : usable * (network.addressesPerInterface() - 1) + 2;
    }

    /// What the kubelet and the container runtime keep for so many pods.
    public static Resources kubeReserved(Ec2Machine machine, long pods) {
        var cpuMillis = machine.processor().vcpus() * 1_000;
        var reservedMillis = 0L;
        for (var slice : CpuSlice.values()) {
            reservedMillis += slice.reservedMillis(cpuMillis);
        }
        return Resources.of(Resources.CPU, Quantity.ofMillis(reservedMillis))
                .with(
                        Resources.MEMORY,
                        mebibytes(KUBE_MEBIBYTES_PER_POD * pods + KUBE_MEBIBYTES_FIXED))
                .with(Resources.EPHEMERAL_STORAGE, KUBE_STORAGE);
    }

    private static Quantity gpus(Ec2Machine machine, String manufacturer) {
        return Quantity.ofUnits(
                machine.gpus().stream()
                        .filter(gpu -> gpu.manufacturer().equals(manufacturer))
                        .mapToLong(Ec2Machine.Gpu::count)
                        .sum());
    }

    private static long neuronDevices(Ec2Machine machine) {
        return machine.accelerators().stream()
                .filter(accelerator -> accelerator.neuronCores() != null)
                .mapToLong(Ec2Machine.Accelerator::count)
                .sum();
    }

    /// Of the first kind of device only, as Karpenter counts.
    private static long neuronCores(Ec2Machine machine) {
        for (var accelerator : machine.accelerators()) {
            var cores = accelerator.neuronCores();
            if (cores != null) {
                return accelerator.count() * cores;
            }
        }
        return 0;
    }

    private static Quantity mebibytes(long mebibytes) {
        return Quantity.ofUnits(mebibytes * BYTES_PER_MEBIBYTE);
    }
}
