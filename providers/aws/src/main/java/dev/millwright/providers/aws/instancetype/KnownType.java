package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.label.Requirement;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.spi.ec2.Ec2Machine;
import dev.millwright.spi.ec2.Ec2Requirements;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;

/// A type as EC2 describes it, together with what our tables add.
///
/// @param labels that the machine alone decides, made once for all classes
/// @param zones where EC2 has it
/// @param windowsAddresses IPv4 addresses a Windows node has for its pods
public record KnownType(
        InstanceTypeInfo info,
        Ec2Machine machine,
        List<Requirement> labels,
        SequencedSet<String> zones,
        long windowsAddresses) {

    private static final String UNSUPPORTED = "unsupported";
    private static final String ALWAYS = "default";

    public KnownType {
        labels = List.copyOf(labels);
        zones = Collections.unmodifiableSequencedSet(new TreeSet<>(zones));
    }

    public static KnownType of(
            InstanceTypeInfo info, SequencedSet<String> zones, TypeTables tables) {
        var entry = tables.of(info.name());
        var addresses = entry.addressesPerInterface();
        var machine = machine(info, entry);
        return new KnownType(
                info,
                machine,
                Ec2Requirements.of(machine),
                zones,
                addresses == null ? 0 : addresses - 1);
    }

    public String name() {
        return info.name();
    }

    private static Ec2Machine machine(InstanceTypeInfo info, TypeTables.Entry entry) {
        var processor = info.processor();
        return new Ec2Machine(
                info.name(),
                new Ec2Machine.Processor(
                        processor.architectures(),
                        processor.manufacturer(),
                        processor.vcpus(),
                        Math.round(processor.clockGigahertz() * 1_000)),
                info.memoryMebibytes(),
                info.gpus().stream()
                        .map(
                                gpu ->
                                        new Ec2Machine.Gpu(
                                                gpu.count(),
                                                gpu.manufacturer(),
                                                gpu.name(),
                                                gpu.memoryMebibytes()))
                        .toList(),
                accelerators(info),
                storage(info.storage()),
                network(info.network(), entry),
                info.hypervisor(),
                info.usageClasses());
    }

    /// A type that has Neuron devices is told by them alone: EC2 lists the older ones both ways.
    private static List<Ec2Machine.Accelerator> accelerators(InstanceTypeInfo info) {
        var found = new ArrayList<Ec2Machine.Accelerator>();
        for (var device : info.neuronDevices()) {
            found.add(
                    new Ec2Machine.Accelerator(
                            device.count(), "aws", device.name(), device.coresPerDevice()));
        }
        if (found.isEmpty()) {
            for (var accelerator : info.accelerators()) {
                found.add(
                        new Ec2Machine.Accelerator(
                                accelerator.count(),
                                accelerator.manufacturer(),
                                accelerator.name(),
                                null));
            }
        }
        return found;
    }

    private static Ec2Machine.Storage storage(InstanceTypeInfo.Storage storage) {
        var hasDisks = storage.localGigabytes() > 0;
        return new Ec2Machine.Storage(
                hasDisks ? storage.localGigabytes() : null,
                hasDisks && !storage.nvmeSupport().equals(UNSUPPORTED),
                storage.ebsOptimizedSupport().equals(ALWAYS) ? storage.ebsPeakMegabits() : null);
    }

    private static Ec2Machine.Network network(
            InstanceTypeInfo.Network network, TypeTables.Entry entry) {
        var cards = network.interfacesPerCard();
        var card = network.defaultCard();
        return new Ec2Machine.Network(
                card < cards.size() ? cards.get(card) : 0,
                network.addressesPerInterface(),
                network.efaMax(),
                entry.branchInterfaces(),
                entry.networkMegabits(),
                network.isEncryptedInTransit());
    }
}
