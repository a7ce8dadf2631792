package dev.millwright.capi.terraform;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.Meta;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/// Where the state of a workspace is kept in the cluster, in the layout of Terraform's backend
/// `kubernetes`: whoever reads that reads ours.
record StatePlace(String namespace, String workspace, String suffix) {

    static final String WORKSPACE_LABEL = "tfstateWorkspace";
    static final String SUFFIX_LABEL = "tfstateSecretSuffix";

    private static final String OUR_SUFFIX = "millwright";

    /// What that backend uses where a configuration names no namespace.
    private static final String NAMESPACE_DEFAULT = "default";

    private static final int LABEL_LENGTH_MAX = 63;
    private static final int HASH_LENGTH = 10;

    /// So much of a hash that nobody finds two names that share it.
    private static final int OWNER_HASH_LENGTH = 32;

    /// Attributes that say which object it is; any other says how to reach another cluster.
    private static final Set<String> KNOWN =
            Set.of("secret_suffix", "namespace", "in_cluster_config");

    /// Null where the state is anywhere else: then Terraform alone knows how to get at it.
    ///
    /// @param manager the manager's own namespace
    static @Nullable StatePlace of(
            BackendScan.@Nullable Backend backend,
            String manager,
            ObjectName key,
            String workspace) {
        if (backend == null) {
            return own(manager, key, workspace);
        }
        var attributes = backend.attributes();
        var suffix = attributes.get("secret_suffix");
        var isHere =
                backend.type().equals("kubernetes")
                        && backend.isSimple()
                        && suffix != null
                        && KNOWN.containsAll(attributes.keySet())
                        && "true".equals(attributes.get("in_cluster_config"));
        return isHere && suffix != null
                ? new StatePlace(
                        attributes.getOrDefault("namespace", NAMESPACE_DEFAULT), workspace, suffix)
                : null;
    }

    /// No two Workspaces share one: a name without a namespace ends with a word, all others with a
    /// hash of namespace, name and workspace.
    static StatePlace own(String manager, ObjectName key, String workspace) {
        if (key.namespace().isEmpty()) {
            return new StatePlace(manager, workspace, OUR_SUFFIX);
        }
        var parts = "%s\n%s\n%s".formatted(key.namespace(), key.name(), workspace);
        var hash = hash(parts.getBytes(StandardCharsets.UTF_8)).substring(0, OWNER_HASH_LENGTH);
        return new StatePlace(manager, workspace, OUR_SUFFIX + "-" + hash);
    }

    /// Where version 0.1 kept what is kept in a place of our own now; null where that is the same.
    /// `b/a-c` and `c-b/a` shared one.
    static @Nullable StatePlace earlier(
            BackendScan.@Nullable Backend backend,
            String manager,
            ObjectName key,
            String workspace) {
        return backend != null || key.namespace().isEmpty()
                ? null
                : new StatePlace(manager, workspace, label(key.namespace() + "-" + OUR_SUFFIX));
    }

    /// Whether the labels that Terraform's backend writes say the same.
    boolean isNamedBy(Meta secret) {
        return isSame(secret.label(WORKSPACE_LABEL), workspace)
                && isSame(secret.label(SUFFIX_LABEL), suffix);
    }

    private static boolean isSame(String label, String text) {
        return label.isEmpty() || label.equals(text) || label.equals(label(text));
    }

    ObjectName secret() {
        return new ObjectName(namespace, "tfstate-%s-%s".formatted(workspace, suffix));
    }

    ObjectName lease() {
        return new ObjectName(namespace, "lock-" + secret().name());
    }

    /// A value that fits a label, told from all others by a hash where it does not by itself.
    static String label(String text) {
        return text.length() <= LABEL_LENGTH_MAX
                ? text
                : text.substring(0, LABEL_LENGTH_MAX - HASH_LENGTH - 1)
                        + "-"
                        + hash(text.getBytes(StandardCharsets.UTF_8)).substring(0, HASH_LENGTH);
    }

    static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }
}
