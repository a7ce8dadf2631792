package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.ObjectName;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A node in the making: what it must be so far, which shapes it can still have, and the pods on
/// it.
final class OpenClaim {

    private final int number;
    private final PoolTemplate template;
    private int set;
    private long[] shapes;
    private final long[] total;
    private final long[] mostRoom;
    private double price;
    private int cheapest;
    private int[] pods = new int[4];
    private int podCount;
    private final List<HostPort> hostPorts = new ArrayList<>();
    private final SequencedMap<String, SequencedSet<ObjectName>> attachments = new TreeMap<>();
    private List<String> reservations = List.of();
    private boolean isMinValuesRelaxed;

    OpenClaim(int number, PoolTemplate template, int resources) {
        this.number = number;
        this.template = template;
        this.set = template.requirements();
        this.shapes = template.usable();
        this.total = new long[resources];
        this.mostRoom = new long[resources];
    }

    int number() {
        return number;
    }

    /// A host name that no node has.
    String host() {
        return "hostname-placeholder-%04d".formatted(number + 1);
    }

    PoolTemplate template() {
        return template;
    }

    /// The number of its requirement set.
    int set() {
        return set;
    }

    /// Callers do not change it.
    long[] shapes() {
        return shapes;
    }

    /// Sum of the pods' requests; callers do not change it.
    long[] total() {
        return total;
    }

    int podCount() {
        return podCount;
    }

    int pod(int index) {
        return pods[index];
    }

    int[] pods() {
        return Arrays.copyOf(pods, podCount);
    }

    List<HostPort> hostPorts() {
        return hostPorts;
    }

    SequencedMap<String, SequencedSet<ObjectName>> attachments() {
        return attachments;
    }

    List<String> reservations() {
        return reservations;
    }

    boolean isMinValuesRelaxed() {
        return isMinValuesRelaxed;
    }

    void add(int pod, PodClass podClass, Acceptance acceptance) {
        if (podCount == pods.length) {
            pods = Arrays.copyOf(pods, podCount * 2);
        }
        pods[podCount++] = pod;
        cheapest = template.cheapest(acceptance.shapes(), acceptance.set(), from(acceptance));
        price = template.priceAt(acceptance.set(), cheapest);
        set = acceptance.set();
        shapes = acceptance.shapes();
        reservations = acceptance.reservations();
        isMinValuesRelaxed |= acceptance.isMinValuesRelaxed();
        var requests = podClass.requests();
        for (var index = 0; index < total.length; index++) {
            total[index] = ResourceSpace.sum(total[index], requests[index]);
        }
        template.mostRoom(shapes, mostRoom);
        hostPorts.addAll(podClass.hostPorts());
        podClass.volumes()
                .attachments()
                .forEach(
                        (driver, claims) ->
                                attachments
                                        .computeIfAbsent(driver, _ -> new TreeSet<>())
                                        .addAll(claims));
    }

    /// Price per hour of the cheapest shape still possible.
    double price() {
        return price;
    }

    double priceWith(Acceptance acceptance) {
        var index = template.cheapest(acceptance.shapes(), acceptance.set(), from(acceptance));
        return template.priceAt(acceptance.set(), index);
    }

    /// Shapes only drop out, so that under the same requirements no cheaper one than now can come.
    private int from(Acceptance acceptance) {
        return acceptance.set() == set ? cheapest : 0;
    }

    /// Whether even the largest shape still possible lacks some resource for the request. One look
    /// at it spares most refusals the search.
    boolean isTooSmallFor(long[] requests) {
        for (var index = 0; index < total.length; index++) {
            if (requests[index] > 0 && total[index] + requests[index] > mostRoom[index]) {
                return true;
            }
        }
        return false;
    }

    /// What the claim becomes when it takes a pod.
    record Acceptance(
            int set, long[] shapes, List<String> reservations, boolean isMinValuesRelaxed) {}

    boolean clashesWith(List<HostPort> ports) {
        return clash(hostPorts, ports);
    }

    static boolean clash(List<HostPort> taken, List<HostPort> wanted) {
        if (taken.isEmpty() || wanted.isEmpty()) {
            return false;
        }
        return wanted.stream().anyMatch(port -> taken.stream().anyMatch(port::clashesWith));
    }
}
