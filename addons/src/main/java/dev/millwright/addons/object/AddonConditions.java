package dev.millwright.addons.object;

/// The conditions of both proxies and their reasons, as the add-on provider for Helm spells them.
public final class AddonConditions {

    public static final String READY = "Ready";

    public static final String RELEASE_READY = "HelmReleaseReady";
    public static final String RELEASE_IS_READY = "Ready";
    public static final String PREPARING = "PreparingToHelmInstall";
    public static final String PENDING = "HelmReleasePending";
    public static final String RUN_FAILED = "HelmInstallOrUpgradeFailed";
    public static final String DELETION_FAILED = "HelmReleaseDeletionFailed";
    public static final String DELETED = "HelmReleaseDeleted";
    public static final String GET_FAILED = "HelmReleaseGetFailed";

    public static final String CLUSTER_AVAILABLE = "ClusterAvailable";
    public static final String AVAILABLE = "Available";
    public static final String NOT_AVAILABLE = "NotAvailable";
    public static final String CLUSTER_FAILED = "GetClusterFailed";
    public static final String KUBECONFIG_FAILED = "GetKubeconfigFailed";
    public static final String CREDENTIALS_FAILED = "GetCredentialsFailed";
    public static final String AUTHORITY_FAILED = "GetCACertificateFailed";

    public static final String SPECS_UP_TO_DATE = "HelmReleaseProxySpecsUpToDate";
    public static final String UP_TO_DATE = "UpToDate";
    public static final String SPECS_UPDATING = "HelmReleaseProxySpecsUpdating";
    public static final String CREATION_FAILED = "HelmReleaseProxyCreationFailed";
    public static final String PROXY_DELETION_FAILED = "HelmReleaseProxyDeletionFailed";
    public static final String REINSTALLING = "HelmReleaseProxyReinstalling";
    public static final String VALUES_FAILED = "ValueParsingFailed";
    public static final String SELECTION_FAILED = "ClusterSelectionFailed";

    public static final String PROXIES_READY = "HelmReleaseProxiesReady";

    /// The reasons of a condition that sums up others.
    public static final String ISSUES = "IssuesReported";

    public static final String UNKNOWN = "UnknownReported";
    public static final String INFO = "InfoReported";

    private AddonConditions() {}
}
