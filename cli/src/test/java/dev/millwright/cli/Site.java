package dev.millwright.cli;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// A small cluster somewhere: one pool, one m5.xlarge on demand, one pod on it and one that waits.
record Site(String zone, String type, String nodeClass) {

    static Site in(String zone) {
        return new Site(zone, "m5.xlarge", "");
    }

    Site ofType(String other) {
        return new Site(zone, other, nodeClass);
    }

    Site with(String otherClass) {
        return new Site(zone, type, otherClass);
    }

    String region() {
        return zone.substring(0, zone.length() - 1);
    }

    /// As kubectl would print it.
    String yaml() {
        return yaml("");
    }

    /// @param requirements of the pool, one a line
    String yaml(String requirements) {
        var labels =
                "{karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: %s, kubernetes.io/arch: amd64, kubernetes.io/os: linux, topology.kubernetes.io/zone: %s, karpenter.sh/capacity-type: on-demand, karpenter.sh/registered: \"true\", karpenter.sh/initialized: \"true\"}"
                        .formatted(type, zone);
        return """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata: {name: general}
        spec:
          disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: Never}
          template:
            spec:
              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
              requirements:
              - {key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r]}
              - {key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["4"]}
        %s---
        apiVersion: karpenter.sh/v1
        kind: NodeClaim
        metadata: {name: general-a, uid: claim-a, labels: %s}
        spec:
          nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
          requirements: []
        status:
          providerID: aws:///%s/i-a
          nodeName: node-a
          capacity: {cpu: "4", memory: 16Gi, pods: "58"}
          allocatable: {cpu: "3900m", memory: 14Gi, pods: "58"}
          conditions: [{type: Launched, status: "True"}, {type: Registered, status: "True"}, {type: Initialized, status: "True"}]
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: node-a, labels: %s}
        spec: {providerID: "aws:///%s/i-a"}
        status:
          capacity: {cpu: "4", memory: 16Gi, pods: "58"}
          allocatable: {cpu: "3900m", memory: 14Gi, pods: "58"}
          conditions: [{type: Ready, status: "True"}]
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: web, namespace: shop}
        spec: {nodeName: node-a, containers: [{name: main, resources: {requests: {cpu: "3"}}}]}
        status: {phase: Running}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: batch, namespace: shop}
        spec: {containers: [{name: main, resources: {requests: {cpu: "7", memory: 8Gi}}}]}
        status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}
        %s"""
                .formatted(
                        requirements,
                        labels,
                        zone,
                        labels,
                        zone,
                        nodeClass.isEmpty() ? "" : "---\n" + nodeClass);
    }

    CommandRun run(String... arguments) {
        return CommandRun.reading(yaml(), arguments);
    }

    /// What stands at a path of a JSON result, as text; `none` where nothing does.
    static String at(CommandRun run, String path) {
        try {
            Value value = JsonReader.object(run.out().getBytes(StandardCharsets.UTF_8));
            for (var step : path.split("/", -1)) {
                value =
                        switch (value) {
                            case Value.Mapping(var position, var fields) ->
                                    fields.getOrDefault(step, new Value.Nothing(position));
                            case Value.Sequence(_, var elements) ->
                                    elements.get(Integer.parseInt(step));
                            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ ->
                                    value;
                        };
            }
            return switch (value) {
                case Value.Text(_, var text) -> text;
                case Value.Numeral(_, var text) -> text;
                case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
                case Value.Nothing(_) -> "none";
                case Value.Sequence _, Value.Mapping _ -> value.describe();
            };
        } catch (IOException broken) {
            throw new UncheckedIOException(run.out() + run.err(), broken);
        }
    }
}
