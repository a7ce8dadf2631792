package dev.millwright.testing.conformance.nodeclaim;

/// NodePools as a person would write them.
final class PoolText {

    static final String UID = "pool-uid";

    private PoolText() {}

    static String pool() {
        return pool(UID);
    }

    static String pool(String uid) {
        return pool(uid, "requirements: []", "");
    }

    /// With lines of the template's spec and of the pool's own.
    static String pool(String uid, String templateSpec, String spec) {
        return """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata:
          name: default
          uid: %s
        spec:
          %s
          template:
            spec:
              nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
              %s
        """
                .formatted(uid, spec, templateSpec);
    }
}
