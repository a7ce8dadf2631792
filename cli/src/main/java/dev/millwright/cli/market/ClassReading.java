package dev.millwright.cli.market;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.snapshot.PoolCatalogues.Cluster;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.KubeletConfiguration;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Subnet;
import dev.millwright.providers.sim.Ec2Region;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;

/// What the node classes of a cluster decide about its machines, and what of it is only assumed.
final class ClassReading {

    private final SequencedMap<String, Ec2NodeClass> classes = new TreeMap<>();

    /// Each note once, however many pools share a class.
    private final SequencedSet<String> notes = new LinkedHashSet<>();

    ClassReading(Cluster cluster) {
        for (var each : cluster.classes()) {
            if (each.kind().equals(Ec2NodeClass.KIND.kind())) {
                var read = Ec2NodeClass.of(each.object());
                classes.put(read.name(), read);
            }
        }
    }

    Collection<Ec2NodeClass> all() {
        return classes.sequencedValues();
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    /// What the pool's class says of its machines in the region. Where it says nothing, all is
    /// possible that the region has.
    ClassFacts facts(NodePool pool, Ec2Region region) {
        var reference = pool.template().nodeClassRef();
        var nodeClass = find(reference);
        if (nodeClass == null) {
            notes.add(
                    "%s %s: every zone of %s, images of every architecture and Amazon Linux 2023 are assumed"
                            .formatted(
                                    words(reference),
                                    isOfEc2(reference)
                                            ? "is not among the objects"
                                            : "says nothing of machines on EC2",
                                    region.name()));
            return unknown(region);
        }
        nodeClass.faults().forEach(fault -> note(nodeClass, fault));
        readiness(nodeClass);
        var facts = ClassFacts.of(nodeClass, null);
        unknowns(nodeClass, facts, region);
        return facts.subnets().isEmpty() ? facts.withSubnets(everywhere(region)) : facts;
    }

    private static String words(NodeClassRef reference) {
        return "%s %s".formatted(reference.kind(), reference.name());
    }

    private @Nullable Ec2NodeClass find(NodeClassRef reference) {
        return isOfEc2(reference) ? classes.get(reference.name()) : null;
    }

    private static boolean isOfEc2(NodeClassRef reference) {
        return reference.kind().equals(Ec2NodeClass.KIND.kind());
    }

    private void note(Ec2NodeClass nodeClass, String text) {
        notes.add("EC2NodeClass %s: %s".formatted(nodeClass.name(), text));
    }

    private void readiness(Ec2NodeClass nodeClass) {
        nodeClass.conditions().stream()
                .filter(condition -> condition.type().equals(NodeClassObject.READY))
                .filter(condition -> condition.status() == Condition.Status.FALSE)
                .forEach(condition -> note(nodeClass, "is not ready: " + condition.message()));
    }

    /// What only the cluster's own controller finds out, and a class that it has not seen lacks.
    private void unknowns(Ec2NodeClass nodeClass, ClassFacts facts, Ec2Region region) {
        var unknown = new ArrayList<String>();
        if (facts.subnets().isEmpty()) {
            unknown.add("its subnets (every zone of %s is assumed)".formatted(region.name()));
        }
        if (facts.amis().isEmpty()) {
            unknown.add("its images (those of every architecture are assumed)");
        }
        if (!nodeClass.spec().capacityReservationSelectorTerms().isEmpty()
                && facts.reservations().isEmpty()) {
            unknown.add("its capacity reservations (none is assumed)");
        }
        if (!facts.reservations().isEmpty()) {
            unknown.add("how many machines its capacity reservations still hold (none is assumed)");
        }
        if (nodeClass.spec().placementGroupSelector() != null) {
            unknown.add("its placement group (every type is assumed to fit)");
        }
        if (!unknown.isEmpty()) {
            note(nodeClass, "the status does not tell " + String.join(", ", unknown));
        }
    }

    private static ClassFacts unknown(Ec2Region region) {
        return new ClassFacts(
                AmiFamily.AL2023,
                KubeletConfiguration.NONE,
                List.of(),
                false,
                null,
                List.of(),
                everywhere(region),
                List.of(),
                false,
                false,
                null);
    }

    private static List<Subnet> everywhere(Ec2Region region) {
        return region.zoneIds().entrySet().stream()
                .map(zone -> new Subnet("assumed-" + zone.getKey(), zone.getKey(), zone.getValue()))
                .toList();
    }
}
