package dev.millwright.providers.sim;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.TreeMap;

/// How much an EC2 instance has and how much of it the system keeps, by the rules of Amazon Linux
/// 2023.
///
/// A resource the type does not have is listed as zero, so that a pod asking for it is told "too
/// small" rather than "unknown".
final class Ec2Resources {

    static final String POD_ENI = "vpc.amazonaws.com/pod-eni";
    static final String EFA = "vpc.amazonaws.com/efa";
    static final String NVIDIA_GPU = "nvidia.com/gpu";
    static final String AMD_GPU = "amd.com/gpu";
    static final String HABANA_GAUDI = "habana.ai/gaudi";
    static final String NEURON = "aws.amazon.com/neuron";
    static final String NEURON_CORE = "aws.amazon.com/neuroncore";

    private static final long BYTES_PER_MEBIBYTE = 1L << 20;

    /// Root volume of an Amazon Linux 2023 node when the node class says nothing.
    private static final Quantity ROOT_VOLUME = Quantity.ofUnits(20L << 30);

    /// Memory that Graviton machines set aside for contiguous allocations; no guest sees it.
    private static final long ARM_RESERVED_MEBIBYTES = 64;

    private static final Quantity EVICTION_MEMORY = mebibytes(100);
    private static final BigDecimal EVICTION_STORAGE_PERCENT = BigDecimal.TEN;
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

    static Resources capacity(Ec2Description type, Ec2Settings settings) {
        var amounts = new TreeMap<String, Quantity>();
        amounts.put(Resources.CPU, Quantity.ofUnits(type.processor().vcpus()));
        amounts.put(Resources.MEMORY, memory(type, settings.memoryOverhead()));
        amounts.put(Resources.EPHEMERAL_STORAGE, ROOT_VOLUME);
        amounts.put(Resources.PODS, Quantity.ofUnits(pods(type, settings)));
        amounts.put(POD_ENI, Quantity.ofUnits(type.network().branchInterfaces()));
        amounts.put(EFA, Quantity.ofUnits(type.network().efaMax()));
        amounts.put(NVIDIA_GPU, gpus(type, "NVIDIA"));
        amounts.put(AMD_GPU, gpus(type, "AMD"));
        amounts.put(HABANA_GAUDI, gpus(type, "Habana"));
        amounts.put(NEURON, Quantity.ofUnits(neuronDevices(type.accelerator())));
        amounts.put(NEURON_CORE, Quantity.ofUnits(neuronCores(type.accelerator())));
        return new Resources(amounts);
    }

    /// What the kubelet and the container runtime keep. The memory follows the pods the interfaces
    /// would allow if none were reserved, because that is what the machine image reckons with.
    static Resources kubeReserved(Ec2Description type) {
        var cpuMillis = type.processor().vcpus() * 1_000;
        var reservedMillis = 0L;
        for (var slice : CpuSlice.values()) {
            reservedMillis += slice.reservedMillis(cpuMillis);
        }
        var memory = KUBE_MEBIBYTES_PER_POD * interfaceLimitedPods(type, 0) + KUBE_MEBIBYTES_FIXED;
        return Resources.of(Resources.CPU, Quantity.ofMillis(reservedMillis))
                .with(Resources.MEMORY, mebibytes(memory))
                .with(Resources.EPHEMERAL_STORAGE, KUBE_STORAGE);
    }

    /// What must stay free, or the kubelet evicts.
    static Resources evictionThreshold() {
        return Resources.of(Resources.MEMORY, EVICTION_MEMORY)
                .with(
                        Resources.EPHEMERAL_STORAGE,
                        ROOT_VOLUME.percentCeiling(EVICTION_STORAGE_PERCENT));
    }

    private static Quantity memory(Ec2Description type, BigDecimal overhead) {
        var isArm = type.processor().architectures().getFirst().equals("arm64");
        var visible = type.memoryMebibytes() - (isArm ? ARM_RESERVED_MEBIBYTES : 0);
        var kept =
                BigDecimal.valueOf(visible)
                        .multiply(overhead)
                        .setScale(0, RoundingMode.CEILING)
                        .longValueExact();
        return mebibytes(visible - kept);
    }

    private static long pods(Ec2Description type, Ec2Settings settings) {
        var podsMax = settings.podsMax();
        return podsMax != null
                ? podsMax
                : interfaceLimitedPods(type, settings.reservedInterfaces());
    }

    /// The network plugin uses the default card only and gives each interface's first address to
    /// the interface itself; two pods use the host's network.
    private static long interfaceLimitedPods(Ec2Description type, int reservedInterfaces) {
        var network = type.network();
        var usable = network.interfacesPerCard().getFirst() - reservedInterfaces;
        return usable <= 0 ? 0 : usable * (network.addressesPerInterface() - 1) + 2;
    }

    private static Quantity gpus(Ec2Description type, String manufacturer) {
        var gpu = type.gpu();
        return gpu != null && gpu.manufacturer().equals(manufacturer)
                ? Quantity.ofUnits(gpu.count())
                : Quantity.ZERO;
    }

    private static long neuronDevices(Ec2Description.@Nullable Accelerator accelerator) {
        return accelerator == null || accelerator.neuronCores() == 0 ? 0 : accelerator.count();
    }

    private static long neuronCores(Ec2Description.@Nullable Accelerator accelerator) {
        return accelerator == null ? 0 : accelerator.count() * accelerator.neuronCores();
    }

    private static Quantity mebibytes(long mebibytes) {
        return Quantity.ofUnits(mebibytes * BYTES_PER_MEBIBYTE);
    }
}
