package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.CapacityBuffer;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What a plan says of capacity buffers: whether each finds its room, and how many of their virtual
/// pods each existing node is kept for.
///
/// A buffer without a verdict had no pod in the plan: its condition stays as it is.
public record BufferReport(
        SequencedMap<ObjectName, Verdict> verdicts, SequencedMap<String, Integer> podsByNode) {

    /// The condition Provisioning of a buffer: its status and reason.
    public enum Verdict {
        FITS_EXISTING_CAPACITY("FitsExistingCapacity"),
        REQUIRES_NEW_CAPACITY("RequiresNewCapacity"),
        NOT_READY("NotReadyForProvisioning"),
        EMPTY("BufferEmpty");

        private final String reason;

        Verdict(String reason) {
            this.reason = reason;
        }

        public String reason() {
            return reason;
        }

        /// The condition's status.
        public boolean isTrue() {
            return this == FITS_EXISTING_CAPACITY;
        }
    }

    public BufferReport {
        verdicts = Collections.unmodifiableSequencedMap(new TreeMap<>(verdicts));
        podsByNode = Collections.unmodifiableSequencedMap(new TreeMap<>(podsByNode));
    }

    public static BufferReport of(List<CapacityBuffer> buffers, Plan plan) {
        var verdicts = new TreeMap<ObjectName, Verdict>();
        var bufferOf = new HashMap<ObjectName, ObjectName>();
        for (var buffer : buffers) {
            if (!buffer.isReady()) {
                verdicts.put(buffer.name(), Verdict.NOT_READY);
            } else if (buffer.podCount() == 0) {
                verdicts.put(buffer.name(), Verdict.EMPTY);
            }
            var count = buffer.podCount();
            for (var number = 1; number <= count; number++) {
                bufferOf.put(buffer.podName(number), buffer.name());
            }
        }
        var podsByNode = new TreeMap<String, Integer>();
        for (var place : plan.existing()) {
            for (var pod : place.pods()) {
                var buffer = bufferOf.get(pod);
                if (buffer != null) {
                    podsByNode.merge(place.node(), 1, Integer::sum);
                    verdicts.putIfAbsent(buffer, Verdict.FITS_EXISTING_CAPACITY);
                }
            }
        }
        plan.claims().forEach(claim -> claim.pods().forEach(pod -> need(pod, bufferOf, verdicts)));
        plan.waiting().forEach(waiting -> need(waiting.pod(), bufferOf, verdicts));
        return new BufferReport(verdicts, podsByNode);
    }

    /// One pod that needs a new node, or finds no place at all, speaks for its buffer.
    private static void need(
            ObjectName pod,
            Map<ObjectName, ObjectName> bufferOf,
            Map<ObjectName, Verdict> verdicts) {
        var buffer = bufferOf.get(pod);
        if (buffer != null) {
            verdicts.put(buffer, Verdict.REQUIRES_NEW_CAPACITY);
        }
    }
}
