package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.InstanceTypeInfo;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.services.ec2.model.EbsInfo;
import software.amazon.awssdk.services.ec2.model.GpuDeviceInfo;
import software.amazon.awssdk.services.ec2.model.InferenceDeviceInfo;
import software.amazon.awssdk.services.ec2.model.InstanceStorageInfo;
import software.amazon.awssdk.services.ec2.model.NetworkCardInfo;
import software.amazon.awssdk.services.ec2.model.NetworkInfo;
import software.amazon.awssdk.services.ec2.model.NeuronDeviceInfo;

import java.util.Comparator;
import java.util.List;

/// Instance types as EC2 describes them.
final class TypeReading {

    private static final String SUPPORTED = "supported";

    private TypeReading() {}

    static InstanceTypeInfo type(software.amazon.awssdk.services.ec2.model.InstanceTypeInfo found) {
        var gpus = found.gpuInfo();
        var accelerators = found.inferenceAcceleratorInfo();
        var neuron = found.neuronInfo();
        var placement = found.placementGroupInfo();
        return new InstanceTypeInfo(
                found.instanceTypeAsString(),
                processor(found),
                found.memoryInfo() == null ? 0 : Absent.number(found.memoryInfo().sizeInMiB()),
                gpus == null ? List.of() : gpus.gpus().stream().map(TypeReading::gpu).toList(),
                accelerators == null
                        ? List.of()
                        : accelerators.accelerators().stream()
                                .map(TypeReading::accelerator)
                                .toList(),
                neuron == null
                        ? List.of()
                        : neuron.neuronDevices().stream().map(TypeReading::neuron).toList(),
                storage(found.instanceStorageInfo(), found.ebsInfo()),
                network(found.networkInfo()),
                Absent.text(found.hypervisorAsString()),
                Absent.flag(found.bareMetal()),
                found.supportedUsageClassesAsStrings(),
                placement == null ? List.of() : placement.supportedStrategiesAsStrings(),
                SUPPORTED.equals(found.nitroEnclavesSupportAsString()));
    }

    private static InstanceTypeInfo.Processor processor(
            software.amazon.awssdk.services.ec2.model.InstanceTypeInfo found) {
        var processor = found.processorInfo();
        var cpus = found.vCpuInfo();
        var count = cpus == null ? 0 : Absent.number(cpus.defaultVCpus());
        if (processor == null) {
            return new InstanceTypeInfo.Processor(List.of(), "", count, 0, List.of());
        }
        return new InstanceTypeInfo.Processor(
                processor.supportedArchitecturesAsStrings(),
                Absent.text(processor.manufacturer()),
                count,
                Absent.number(processor.sustainedClockSpeedInGhz()),
                processor.supportedFeaturesAsStrings());
    }

    private static InstanceTypeInfo.Gpu gpu(GpuDeviceInfo found) {
        var memory = found.memoryInfo();
        return new InstanceTypeInfo.Gpu(
                Absent.text(found.name()),
                Absent.text(found.manufacturer()),
                Absent.number(found.count()),
                memory == null ? 0 : Absent.number(memory.sizeInMiB()));
    }

    private static InstanceTypeInfo.Accelerator accelerator(InferenceDeviceInfo found) {
        return new InstanceTypeInfo.Accelerator(
                Absent.text(found.name()),
                Absent.text(found.manufacturer()),
                Absent.number(found.count()));
    }

    private static InstanceTypeInfo.NeuronDevice neuron(NeuronDeviceInfo found) {
        var cores = found.coreInfo();
        return new InstanceTypeInfo.NeuronDevice(
                Absent.text(found.name()),
                Absent.number(found.count()),
                cores == null ? 0 : Absent.number(cores.count()));
    }

    private static InstanceTypeInfo.Storage storage(
            @Nullable InstanceStorageInfo local, @Nullable EbsInfo ebs) {
        var optimized = ebs == null ? null : ebs.ebsOptimizedInfo();
        var peak = optimized == null ? null : optimized.maximumBandwidthInMbps();
        return new InstanceTypeInfo.Storage(
                local == null ? 0 : Absent.number(local.totalSizeInGB()),
                local == null ? "" : Absent.text(local.nvmeSupportAsString()),
                ebs == null ? "" : Absent.text(ebs.ebsOptimizedSupportAsString()),
                peak == null ? null : peak.longValue());
    }

    private static InstanceTypeInfo.Network network(@Nullable NetworkInfo found) {
        if (found == null) {
            return new InstanceTypeInfo.Network(List.of(), 0, 0, 0, "", false);
        }
        var efa = found.efaInfo();
        return new InstanceTypeInfo.Network(
                found.networkCards().stream()
                        .sorted(Comparator.comparing(NetworkCardInfo::networkCardIndex))
                        .map(card -> (long) Absent.number(card.maximumNetworkInterfaces()))
                        .toList(),
                Absent.number(found.defaultNetworkCardIndex()),
                Absent.number(found.ipv4AddressesPerInterface()),
                efa == null ? 0 : Absent.number(efa.maximumEfaInterfaces()),
                Absent.text(found.enaSupportAsString()),
                Absent.flag(found.encryptionInTransitSupported()));
    }
}
