package dev.millwright.spi;

import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A NodeClaim as a cloud sees it. `providerId` is empty until the machine is launched.
///
/// The uid is the name of the wish: a cloud that is asked twice with one uid launches one machine.
public record MachineClaim(
        String name,
        String uid,
        Instant createdAt,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        List<SelectorRequirement> requirements,
        List<Taint> taints,
        List<Taint> startupTaints,
        Resources requests,
        NodeClassRef nodeClassRef,
        String providerId,
        String imageId) {

    public MachineClaim {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
        requirements = List.copyOf(requirements);
        taints = List.copyOf(taints);
        startupTaints = List.copyOf(startupTaints);
    }
}
