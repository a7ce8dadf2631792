package dev.millwright.controllers.metrics;

/// Names that Prometheus takes for labels, made of keys that Kubernetes takes.
final class LabelNames {

    private LabelNames() {}

    /// The name part of a key: `topology.kubernetes.io/zone` is `zone`.
    static String ofNamePart(String key) {
        return ofWholeKey(key.substring(key.indexOf('/') + 1));
    }

    /// The whole key: `karpenter.sh/nodepool` is `karpenter_sh_nodepool`.
    static String ofWholeKey(String key) {
        return key.replaceAll("[/.-]", "_");
    }
}
