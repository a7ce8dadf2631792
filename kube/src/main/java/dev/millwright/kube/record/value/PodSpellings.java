package dev.millwright.kube.record.value;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodAffinity;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.PodVolume;
import dev.millwright.core.cluster.SpreadConstraint;

import java.util.List;

/// Pods, as far as scheduling looks at them.
final class PodSpellings {

    static final Spelling<ObjectName> OBJECT_NAME =
            Spelling.of(
                    "object name",
                    (out, name) -> {
                        out.text(name.namespace());
                        out.text(name.name());
                    },
                    in -> new ObjectName(in.text(), in.text()));

    private static final Spelling<NodeAffinity.Term> NODE_TERM =
            Spelling.of(
                    "node term",
                    (out, term) -> {
                        out.list(LabelSpellings.REQUIREMENT, term.expressions());
                        out.flag(term.hasMatchFields());
                    },
                    in -> new NodeAffinity.Term(in.list(LabelSpellings.REQUIREMENT), in.flag()));

    private static final Spelling<NodeAffinity.Preferred> NODE_PREFERRED =
            Spelling.of(
                    "preferred node term",
                    (out, preferred) -> {
                        out.number(preferred.weight());
                        out.value(NODE_TERM, preferred.term());
                    },
                    in -> new NodeAffinity.Preferred(in.whole(), in.value(NODE_TERM)));

    private static final Spelling<NodeAffinity> NODE_AFFINITY =
            Spelling.of(
                    "node affinity",
                    (out, affinity) -> {
                        out.list(NODE_TERM, affinity.required());
                        out.list(NODE_PREFERRED, affinity.preferred());
                    },
                    in -> new NodeAffinity(in.list(NODE_TERM), in.list(NODE_PREFERRED)));

    private static final Spelling<PodAffinity.Term> POD_TERM =
            Spelling.of(
                    "pod term",
                    (out, term) -> {
                        out.text(term.topologyKey());
                        out.valueOrNone(LabelSpellings.SELECTOR, term.selector());
                        out.texts(term.namespaces());
                        out.valueOrNone(LabelSpellings.SELECTOR, term.namespaceSelector());
                    },
                    in ->
                            new PodAffinity.Term(
                                    in.text(),
                                    in.valueOrNone(LabelSpellings.SELECTOR),
                                    in.texts(),
                                    in.valueOrNone(LabelSpellings.SELECTOR)));

    private static final Spelling<PodAffinity.Weighted> POD_WEIGHTED =
            Spelling.of(
                    "weighted pod term",
                    (out, weighted) -> {
                        out.number(weighted.weight());
                        out.value(POD_TERM, weighted.term());
                    },
                    in -> new PodAffinity.Weighted(in.whole(), in.value(POD_TERM)));

    private static final Spelling<PodAffinity> POD_AFFINITY =
            Spelling.of(
                    "pod affinity",
                    (out, affinity) -> {
                        out.list(POD_TERM, affinity.required());
                        out.list(POD_WEIGHTED, affinity.preferred());
                    },
                    in -> new PodAffinity(in.list(POD_TERM), in.list(POD_WEIGHTED)));

    static final Spelling<SpreadConstraint> SPREAD =
            Spelling.of(
                    "spread constraint",
                    (out, spread) -> {
                        out.text(spread.topologyKey());
                        out.count(spread.maxSkew());
                        out.flag(spread.isHard());
                        out.valueOrNone(LabelSpellings.SELECTOR, spread.selector());
                        out.countOrNone(spread.minDomains());
                        out.constant(spread.nodeTaintsPolicy());
                        out.constant(spread.nodeAffinityPolicy());
                        out.texts(spread.matchLabelKeys());
                    },
                    in ->
                            new SpreadConstraint(
                                    in.text(),
                                    in.count(),
                                    in.flag(),
                                    in.valueOrNone(LabelSpellings.SELECTOR),
                                    in.countOrNone(),
                                    in.constant(SpreadConstraint.Inclusion.class),
                                    in.constant(SpreadConstraint.Inclusion.class),
                                    in.texts()));

    static final Spelling<PodPlacement> PLACEMENT =
            Spelling.of(
                    "placement",
                    (out, placement) -> {
                        out.value(LabelSpellings.LABELS, placement.nodeSelector());
                        out.value(NODE_AFFINITY, placement.nodeAffinity());
                        out.value(POD_AFFINITY, placement.podAffinity());
                        out.value(POD_AFFINITY, placement.podAntiAffinity());
                        out.list(LabelSpellings.TOLERATION, placement.tolerations());
                        out.list(SPREAD, placement.spread());
                    },
                    in ->
                            new PodPlacement(
                                    in.value(LabelSpellings.LABELS),
                                    in.value(NODE_AFFINITY),
                                    in.value(POD_AFFINITY),
                                    in.value(POD_AFFINITY),
                                    in.list(LabelSpellings.TOLERATION),
                                    in.list(SPREAD)));

    private static final Spelling<HostPort> HOST_PORT =
            Spelling.of(
                    "host port",
                    (out, port) -> {
                        out.text(port.ip());
                        out.number(port.port());
                        out.text(port.protocol());
                    },
                    in -> new HostPort(in.text(), in.whole(), in.text()));

    private static final Spelling<PodVolume> VOLUME =
            Spelling.of("pod volume", PodSpellings::volume, PodSpellings::volume);

    private static final Spelling<PodState.Owner> OWNER =
            Spelling.of(
                    "owner",
                    (out, owner) -> {
                        out.text(owner.apiVersion());
                        out.text(owner.kind());
                        out.text(owner.name());
                        out.text(owner.uid());
                        out.flag(owner.isController());
                    },
                    in ->
                            new PodState.Owner(
                                    in.text(), in.text(), in.text(), in.text(), in.flag()));

    private static final Spelling<List<PodState.Owner>> OWNERS =
            Spelling.of("owners", (out, owners) -> out.list(OWNER, owners), in -> in.list(OWNER));

    private static final Spelling<PodState> STATE =
            Spelling.of(
                    "pod state",
                    (out, state) -> {
                        out.constant(state.phase());
                        out.textOrNone(state.nodeName());
                        out.textOrNone(state.nominatedNodeName());
                        out.flag(state.isTerminating());
                        out.flag(state.isMarkedUnschedulable());
                        out.flag(state.isKnownNotReady());
                        out.instantOrNone(state.startedAt());
                        out.value(OWNERS, state.owners());
                    },
                    in ->
                            new PodState(
                                    in.constant(PodState.Phase.class),
                                    in.textOrNone(),
                                    in.textOrNone(),
                                    in.flag(),
                                    in.flag(),
                                    in.flag(),
                                    in.instantOrNone(),
                                    in.value(OWNERS)));

    static final Spelling<Pod> POD =
            Spelling.of(
                    "pod",
                    (out, pod) -> {
                        out.inline(OBJECT_NAME, pod.name());
                        out.text(pod.uid());
                        out.instant(pod.createdAt());
                        out.value(LabelSpellings.LABELS, pod.labels());
                        out.value(LabelSpellings.LABELS, Annotations.read(pod.annotations()));
                        out.value(LabelSpellings.RESOURCES, pod.requests());
                        out.value(PLACEMENT, pod.placement());
                        out.list(HOST_PORT, pod.hostPorts());
                        out.list(VOLUME, pod.volumes());
                        out.flag(pod.hasResourceClaims());
                        out.inline(STATE, pod.state());
                    },
                    in ->
                            new Pod(
                                    in.inline(OBJECT_NAME),
                                    in.text(),
                                    in.instant(),
                                    in.value(LabelSpellings.LABELS),
                                    in.value(LabelSpellings.LABELS),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(PLACEMENT),
                                    in.list(HOST_PORT),
                                    in.list(VOLUME),
                                    in.flag(),
                                    in.inline(STATE)));

    private PodSpellings() {}

    private static void volume(ValueOut out, PodVolume volume) {
        switch (volume) {
            case PodVolume.Claim(var claim) -> {
                out.text("Claim");
                out.text(claim);
            }
            case PodVolume.Ephemeral(var name, var storageClass) -> {
                out.text("Ephemeral");
                out.text(name);
                out.textOrNone(storageClass);
            }
        }
    }

    private static PodVolume volume(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Claim" -> new PodVolume.Claim(in.text());
            case "Ephemeral" -> new PodVolume.Ephemeral(in.text(), in.textOrNone());
            default -> throw new DamageException("\"%s\" is no PodVolume".formatted(word));
        };
    }
}
