package dev.millwright.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.Source;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/// A valid file with some bytes changed is read, or refused with a message: it never fails
/// otherwise.
class MutationProperties {

    private static final int MUTANTS_PER_SEED = 300;
    private static final List<String> WORDS =
            List.of(
                    "null",
                    "[]",
                    "{}",
                    "-1",
                    "1e999999999",
                    "9223372036854775808",
                    "\"",
                    "'",
                    ": ",
                    "- ",
                    "\n",
                    "\t",
                    "{",
                    "}",
                    "[",
                    "]",
                    "&a ",
                    "*a",
                    "!x ",
                    "<<: *a",
                    "---\n",
                    "\u0000",
                    "\ud83d",
                    "true",
                    "0x1F",
                    "%",
                    "kind: List\n",
                    "items: 7\n",
                    "~");

    private static final String YAML =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: default, labels: &a {team: shop}}
            spec:
              weight: 7
              limits: {cpu: "100"}
              disruption: {consolidateAfter: 5m, budgets: [{nodes: 10%}]}
              template:
                metadata: {labels: *a}
                spec:
                  nodeClassRef: {group: g, kind: K, name: n}
                  taints: [{key: a, value: b, effect: NoSchedule}]
                  requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64], minValues: 1}]
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: x, creationTimestamp: "2026-01-01T00:00:00Z"}
            spec:
              containers: [{name: a, resources: {requests: {cpu: 500m}}, ports: [{hostPort: 80}]}]
              tolerations: [{operator: Exists}]
              topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule}]
              affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: h, labelSelector: {}}]}}
            ---
            {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {replicas: 2, template: {spec: {}}}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n}, status: {capacity: {cpu: 2}}}
            ---
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: s}, provisioner: p}
            """;

    private static final String JSON =
            """
            {"kind": "List", "apiVersion": "v1", "options": {"preferencePolicy": "Respect"},
             "instanceTypes": [{"name": "t", "capacity": {"cpuMilli": 1000, "memoryBytes": 5},
               "offerings": [{"zone": "a", "capacityType": "spot", "price": 1.5, "reservationCapacity": 1}]}],
             "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}},
               {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"parallelism": 2,
                "template": {"spec": {"containers": [{"resources": {"limits": {"memory": "1Gi"}}}]}}}}]}
            """;

    private static final String PROBLEM =
            """
            {"format": 1, "instanceTypes": [{"name": "t", "capacity": {"cpuMilli": 1}, "offerings": []}],
             "pods": [{"name": "a", "requests": {"cpuMilli": 1, "resources": {"x": "1"}}, "affinity": {}}]}
            """;

    static LongStream seeds() {
        return LongStream.range(1, 16);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aMutantIsReadOrRefused(long seed) {
        var random = new Random(seed);
        for (var count = 0; count < MUTANTS_PER_SEED; count++) {
            var original = List.of(YAML, JSON, PROBLEM).get(count % 3);
            var bytes = mutant(original, random);
            try {
                assertThat(Reading.of(Source.bytes("mutant", bytes))).isNotNull();
            } catch (DocumentException refused) {
                assertThat(refused.getMessage()).startsWith("mutant");
            } catch (RuntimeException | StackOverflowError failure) {
                throw new AssertionError(
                        "seed %d: %s".formatted(seed, new String(bytes, StandardCharsets.UTF_8)),
                        failure);
            }
        }
    }

    private static byte[] mutant(String original, Random random) {
        var text = new StringBuilder(original);
        for (var change = random.nextInt(4); change >= 0; change--) {
            var at = random.nextInt(text.length());
            var end = Math.min(text.length(), at + random.nextInt(12));
            switch (random.nextInt(4)) {
                case 0 -> text.replace(at, end, WORDS.get(random.nextInt(WORDS.size())));
                case 1 -> text.insert(at, WORDS.get(random.nextInt(WORDS.size())));
                case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + 200)));
                default -> text.setCharAt(at, (char) random.nextInt(256));
            }
        }
        var bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(5) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
