package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.storageClass;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.Given.volume;
import static dev.millwright.testing.kit.Given.volumeClaim;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.ClusterPart;
import dev.millwright.testing.kit.InstanceTypeBuilder;
import dev.millwright.testing.kit.NodePoolBuilder;
import dev.millwright.testing.kit.PodBuilder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// One thing that keeps the pod `web` waiting in a cluster that would otherwise have a node for it:
/// a pool `general` for everybody, and pools that are set apart by taints.
enum PlantedCause {
    MISTYPED_KEY,
    MISTYPED_OWN_KEY,
    MISTYPED_KEY_OF_OURS,
    MISTYPED_ZONE,
    MISTYPED_ARCHITECTURE,
    MISTYPED_CAPACITY_TYPE,
    MISTYPED_TYPE,
    MISTYPED_POOL,
    MISTYPED_TOLERATION,
    MISTYPED_IN_POOL,
    TAINT,
    TAINT_OF_CHOSEN_POOL,
    TAINT_OF_GPU,
    LIMIT,
    NODE_LIMIT,
    GATE,
    VOLUME_ZONE,
    VOLUME_UNBOUND,
    CPU_TOO_LARGE,
    MEMORY_TOO_LARGE,
    AFFINITY,
    ANTI_AFFINITY,
    SPREAD,
    ARCHITECTURE,
    ZONE,
    CAPACITY_TYPE,
    MIN_VALUES;

    private static final String GPU = "nvidia.com/gpu";
    private static final List<String> ZONES = List.of("test-zone-1", "test-zone-2", "test-zone-3");

    /// A cluster with the cause, and what a first advice that names it says.
    record Planted(
            long seed, PlantedCause cause, SchedulingProblem problem, Pod pod, Set<String> topics) {

        @Override
        public String toString() {
            return "%s (seed %d)".formatted(cause, seed);
        }
    }

    /// Draws what the cause leaves open.
    private static final class Draft {
        private final SplittableRandom chance;
        private final List<InstanceType> types = new ArrayList<>();
        private final List<ClusterPart> parts = new ArrayList<>();
        private final Set<String> topics = new TreeSet<>();
        private NodePoolBuilder general = nodePool("general").label("team", "shop");
        private PodBuilder web;
        private boolean isGpuWanted;

        Draft(long seed) {
            this.chance = new SplittableRandom(seed);
            this.web =
                    pod("web", (chance.nextInt(1, 8) * 250) + "m")
                            .memory("1Gi")
                            .label("app", "web");
            for (var family : List.of("c5", "m5", "r5")) {
                for (var size :
                        List.of("large", "xlarge", "2xlarge").subList(0, chance.nextInt(1, 4))) {
                    types.add(type(family + "." + size, "amd64", size).build());
                }
            }
            types.add(type("m6g.xlarge", "arm64", "xlarge").build());
        }

        private static InstanceTypeBuilder type(String name, String arch, String size) {
            var cores =
                    switch (size) {
                        case "large" -> 2;
                        case "xlarge" -> 4;
                        default -> 8;
                    };
            return instanceType(name)
                    .arch(arch)
                    .cpu(Integer.toString(cores + 1))
                    .memory(4 * cores + "Gi")
                    .pods(20);
        }

        private String mistyped(String word, Set<String> known) {
            while (true) {
                var at = chance.nextInt(word.length());
                var letter = (char) ('a' + chance.nextInt(26));
                var wrong =
                        switch (chance.nextInt(4)) {
                            case 0 -> word.substring(0, at) + word.substring(at + 1);
                            case 1 -> word.substring(0, at) + letter + word.substring(at);
                            case 2 -> word.substring(0, at) + letter + word.substring(at + 1);
                            default ->
                                    at == 0
                                            ? word
                                            : word.substring(0, at - 1)
                                                    + word.charAt(at)
                                                    + word.charAt(at - 1)
                                                    + word.substring(at + 1);
                        };
                if (!wrong.equals(word)
                        && !known.contains(wrong)
                        && wrong.matches("[a-z0-9]([-.a-z0-9]*[a-z0-9])?")) {
                    return wrong;
                }
            }
        }

        private String zone() {
            return ZONES.get(chance.nextInt(ZONES.size()));
        }

        private void ask(String key, String value) {
            web =
                    chance.nextBoolean()
                            ? web.nodeSelector(key, value)
                            : web.requires(in(key, value));
        }

        void plant(PlantedCause cause) {
            switch (cause) {
                case MISTYPED_KEY -> {
                    var wrong = "topology.kubernetes.io/" + mistyped("zone", Set.of());
                    mendOf(
                            chance.nextBoolean() ? wrong : wrong.substring(wrong.indexOf('/') + 1),
                            zone());
                }
                case MISTYPED_OWN_KEY -> {
                    general = general.label("shop.example/tier", "gold");
                    mendOf("shop.example/" + mistyped("tier", Set.of()), "gold");
                }
                case MISTYPED_KEY_OF_OURS ->
                        mendOf("karpenter.sh/" + mistyped("capacity-type", Set.of()), "spot");
                case MISTYPED_ZONE ->
                        mendOf(LabelKeys.ZONE, "test-" + mistyped("zone", Set.of()) + "-1");
                case MISTYPED_ARCHITECTURE ->
                        mendOf(LabelKeys.ARCH, mistyped("amd64", Set.of("arm64")));
                case MISTYPED_CAPACITY_TYPE ->
                        mendOf(LabelKeys.CAPACITY_TYPE, mistyped("on-demand", Set.of()));
                case MISTYPED_TYPE -> {
                    var known = new TreeSet<String>();
                    types.forEach(type -> known.add(type.name()));
                    mendOf(LabelKeys.INSTANCE_TYPE, mistyped(types.getFirst().name(), known));
                }
                case MISTYPED_POOL -> mendOf(LabelKeys.NODE_POOL, mistyped("general", Set.of()));
                case MISTYPED_TOLERATION -> {
                    general = general.taint(taint("dedicated", "shop"));
                    web =
                            web.tolerates(
                                    new Toleration(
                                            mistyped("dedicated", Set.of()),
                                            Toleration.Match.EQUAL,
                                            "shop",
                                            null));
                    topics.add("taint dedicated");
                }
                case MISTYPED_IN_POOL -> {
                    general =
                            general.requirement(
                                    in(LabelKeys.ARCH, mistyped("amd64", Set.of("arm64"))));
                    topics.add("requirement general " + LabelKeys.ARCH);
                }
                case TAINT -> {
                    general = general.taint(taint("team", "shop"));
                    topics.add("taint team");
                }
                case TAINT_OF_CHOSEN_POOL -> {
                    parts.add(nodePool("team-c").taint(taint("team", "c")).label("team", "c"));
                    if (chance.nextBoolean()) {
                        ask("team", "c");
                    } else {
                        ask(LabelKeys.NODE_POOL, "team-c");
                    }
                    topics.add("taint team");
                }
                case TAINT_OF_GPU -> {
                    isGpuWanted = true;
                    web = web.resource(GPU, "1");
                    topics.add("taint " + GPU);
                }
                case LIMIT -> {
                    general = general.limit(chance.nextBoolean() ? "cpu" : "memory", "1");
                    topics.add("limits general");
                }
                case NODE_LIMIT -> {
                    general = general.limit("nodes", "1");
                    parts.add(
                            node("full")
                                    .pool("general")
                                    .label("team", "shop")
                                    .cpu("1")
                                    .podSlots(1));
                    parts.add(pod("old", "1").onNode("full"));
                    topics.add("limits general");
                }
                case GATE -> {
                    web =
                            web.state(
                                    new PodState(
                                            PodState.Phase.PENDING,
                                            null,
                                            null,
                                            false,
                                            false,
                                            false,
                                            null,
                                            List.of(),
                                            List.of("shop.example/quota")));
                    topics.add("shop.example/quota");
                }
                case VOLUME_ZONE -> {
                    general = general.requirement(in(LabelKeys.ZONE, "test-zone-1", "test-zone-2"));
                    parts.add(volume("disk").zones("test-zone-3"));
                    parts.add(volumeClaim("data").boundTo("disk"));
                    web = web.claim("data");
                    topics.add("requirement general " + LabelKeys.ZONE);
                }
                case VOLUME_UNBOUND -> {
                    switch (chance.nextInt(3)) {
                        case 0 -> parts.add(volumeClaim("data").lost());
                        case 1 -> {
                            parts.add(storageClass("now").immediate());
                            parts.add(volumeClaim("data").storageClass("now"));
                        }
                        default -> parts.add(volumeClaim("other"));
                    }
                    web = web.claim("data");
                    topics.add("PersistentVolumeClaim default/data");
                }
                case CPU_TOO_LARGE -> {
                    web = web.cpu(Integer.toString(chance.nextInt(10, 100)));
                    topics.add("requests");
                }
                case MEMORY_TOO_LARGE -> {
                    web = web.memory(chance.nextInt(40, 400) + "Gi");
                    topics.add("requests");
                }
                case AFFINITY -> {
                    var key = chance.nextBoolean() ? LabelKeys.ZONE : LabelKeys.HOSTNAME;
                    web = web.podAffinity(key, Map.of("app", "cache"));
                    topics.add("podAffinity " + key);
                }
                case ANTI_AFFINITY -> {
                    for (var zone : ZONES) {
                        parts.add(full("at-" + zone, zone));
                        parts.add(pod("web-" + zone, "1").label("app", "web").onNode("at-" + zone));
                    }
                    web = web.podAntiAffinity(LabelKeys.ZONE, Map.of("app", "web"));
                    topics.add("podAntiAffinity " + LabelKeys.ZONE);
                }
                case SPREAD -> {
                    general = general.requirement(in(LabelKeys.ZONE, "test-zone-1"));
                    parts.add(nodePool("team-d").taint(taint("team", "d")));
                    parts.add(full("busy", "test-zone-1"));
                    parts.add(pod("web-1", "1").label("app", "web").onNode("busy"));
                    web = web.spread(LabelKeys.ZONE, 1, Map.of("app", "web"));
                    topics.add("spread " + LabelKeys.ZONE);
                }
                case ARCHITECTURE -> {
                    general = general.requirement(in(LabelKeys.ARCH, "amd64"));
                    ask(LabelKeys.ARCH, "arm64");
                    topics.add("label " + LabelKeys.ARCH);
                }
                case ZONE -> {
                    general = general.requirement(in(LabelKeys.ZONE, "test-zone-1", "test-zone-2"));
                    ask(LabelKeys.ZONE, "test-zone-3");
                    topics.add("label " + LabelKeys.ZONE);
                }
                case CAPACITY_TYPE -> {
                    general = general.requirement(in(LabelKeys.CAPACITY_TYPE, "on-demand"));
                    ask(LabelKeys.CAPACITY_TYPE, "spot");
                    topics.add("label " + LabelKeys.CAPACITY_TYPE);
                }
                case MIN_VALUES -> {
                    general = general.minValues(LabelKeys.INSTANCE_TYPE, chance.nextInt(20, 60));
                    topics.add("requirement general " + LabelKeys.INSTANCE_TYPE);
                }
            }
        }

        private static ClusterPart full(String name, String zone) {
            return node(name).pool("general").label("team", "shop").zone(zone).cpu("1").podSlots(1);
        }

        private void mendOf(String key, String value) {
            ask(key, value);
            topics.add("label " + key);
        }

        ClusterBuilder built() {
            var all = new ArrayList<>(parts);
            general = general.weight(chance.nextInt(0, 50));
            all.add(general);
            var gpu = type("g5.xlarge", "amd64", "xlarge").resource(GPU, "1").build();
            var built = cluster().withoutNodePools().selling(types);
            if (isGpuWanted && chance.nextBoolean()) {
                // As on EC2: all pools have one catalogue, and say what they buy of it.
                var names = types.stream().map(InstanceType::name).toArray(String[]::new);
                general = general.requirement(in(LabelKeys.INSTANCE_TYPE, names));
                all.set(parts.size(), general);
                all.add(
                        nodePool("accelerated")
                                .taint(taint(GPU, "true"))
                                .requirement(in(LabelKeys.INSTANCE_TYPE, gpu.name())));
                types.add(gpu);
                built = built.selling(types);
            } else if (isGpuWanted || chance.nextBoolean()) {
                all.add(nodePool("accelerated").taint(taint(GPU, "true")));
                built = built.sellingTo("accelerated", List.of(gpu));
            }
            if (chance.nextBoolean()) {
                all.add(nodePool("a-system").taint(taint("CriticalAddonsOnly", "true")));
            }
            if (chance.nextBoolean()) {
                all.add(nodePool("team-b").label("team", "b").taint(taint("team", "b")));
            }
            for (var other = 0; other < chance.nextInt(4); other++) {
                all.add(pod("other-" + other, "500m"));
            }
            all.add(web);
            return built.with(all);
        }
    }

    Planted planted(long seed) {
        var draft = new Draft(seed);
        draft.plant(this);
        var problem = draft.built().problem();
        return new Planted(seed, this, problem, draft.web.pod(), draft.topics);
    }

    /// Whether letting the pod in where nodes are set apart is the answer.
    boolean isOfTaint() {
        return this == TAINT
                || this == TAINT_OF_CHOSEN_POOL
                || this == TAINT_OF_GPU
                || this == MISTYPED_TOLERATION;
    }
}
