package dev.millwright.world.kubelet;

import dev.millwright.world.cluster.Span;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How long what a kubelet does takes.
///
/// @param ready from the Node's creation until it is ready
/// @param devices from ready until resources of a device plugin show up
/// @param startupTaints from ready until a user's agent takes the startup taints away
/// @param start from binding until the containers run, with pulling images
/// @param probe from running until ready
/// @param stop from being asked until the containers have stopped, unless the grace ends earlier
/// @param attachLimits volumes a node can attach, by CSI driver
public record KubeletSettings(
        Span ready,
        Span devices,
        Span startupTaints,
        Span start,
        Span probe,
        Span stop,
        SequencedMap<String, Integer> attachLimits) {

    public KubeletSettings {
        attachLimits = Collections.unmodifiableSequencedMap(new TreeMap<>(attachLimits));
    }

    public static KubeletSettings usual() {
        var limits = new TreeMap<String, Integer>();
        limits.put("ebs.csi.aws.com", 25);
        return new KubeletSettings(
                Span.seconds(5, 20),
                Span.seconds(10, 60),
                Span.seconds(5, 30),
                Span.seconds(1, 10),
                Span.seconds(0, 5),
                Span.seconds(0, 5),
                limits);
    }

    public KubeletSettings withAttachLimits(SequencedMap<String, Integer> limits) {
        return new KubeletSettings(ready, devices, startupTaints, start, probe, stop, limits);
    }
}
