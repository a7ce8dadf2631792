package dev.millwright.world.kind;

import static dev.millwright.kube.client.ResourceType.CSI_NODE;
import static dev.millwright.kube.client.ResourceType.DAEMON_SET;
import static dev.millwright.kube.client.ResourceType.DEPLOYMENT;
import static dev.millwright.kube.client.ResourceType.EVENT;
import static dev.millwright.kube.client.ResourceType.LEASE;
import static dev.millwright.kube.client.ResourceType.NAMESPACE;
import static dev.millwright.kube.client.ResourceType.NODE;
import static dev.millwright.kube.client.ResourceType.PERSISTENT_VOLUME;
import static dev.millwright.kube.client.ResourceType.PERSISTENT_VOLUME_CLAIM;
import static dev.millwright.kube.client.ResourceType.POD;
import static dev.millwright.kube.client.ResourceType.POD_DISRUPTION_BUDGET;
import static dev.millwright.kube.client.ResourceType.POD_TEMPLATE;
import static dev.millwright.kube.client.ResourceType.REPLICATION_CONTROLLER;
import static dev.millwright.kube.client.ResourceType.REPLICA_SET;
import static dev.millwright.kube.client.ResourceType.SERVICE;
import static dev.millwright.kube.client.ResourceType.STATEFUL_SET;
import static dev.millwright.kube.client.ResourceType.STORAGE_CLASS;
import static dev.millwright.kube.client.ResourceType.VOLUME_ATTACHMENT;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.crd.CustomResources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// All that is served: the built-in kinds a world has to do with, and custom ones.
public final class Kinds {

    public static final ResourceType CONFIG_MAP =
            new ResourceType("", "v1", "configmaps", "ConfigMap", true);
    public static final ResourceType SECRET = new ResourceType("", "v1", "secrets", "Secret", true);
    public static final ResourceType SERVICE_ACCOUNT =
            new ResourceType("", "v1", "serviceaccounts", "ServiceAccount", true);
    public static final ResourceType JOB = new ResourceType("batch", "v1", "jobs", "Job", true);
    public static final ResourceType CRON_JOB =
            new ResourceType("batch", "v1", "cronjobs", "CronJob", true);
    public static final ResourceType CONTROLLER_REVISION =
            new ResourceType("apps", "v1", "controllerrevisions", "ControllerRevision", true);
    public static final ResourceType PRIORITY_CLASS =
            new ResourceType("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);

    private final SequencedMap<ResourceType, Kind> kinds = new LinkedHashMap<>();
    private final Map<ResourceType, SchemaDefaults> schemas = new HashMap<>();
    private final Map<String, ResourceType> byOwner = new HashMap<>();

    private Kinds() {}

    /// Read once: a world is made thousands of times.
    private static final class Kwok {
        private static final Kinds KINDS = of(CustomResources.kwok());
    }

    /// The built-in kinds and those of a cluster with kwok's nodes.
    public static Kinds kwok() {
        return Kwok.KINDS;
    }

    /// The built-in kinds and those of the definitions.
    public static Kinds of(CustomResources custom) {
        var kinds = new Kinds();
        builtIn().forEach(kinds::add);
        for (var definition : custom.definitions().sequencedValues()) {
            for (var schema : SchemaDefaults.of(definition)) {
                kinds.add(schema.kind());
                kinds.schemas.put(schema.kind().type(), schema);
            }
        }
        return kinds;
    }

    private void add(Kind kind) {
        kinds.put(kind.type(), kind);
        byOwner.put(kind.type().apiVersion() + "/" + kind.type().kind(), kind.type());
    }

    /// Null for what nobody serves.
    public @Nullable Kind find(ResourceType type) {
        return kinds.get(type);
    }

    /// In the order they are served.
    public Collection<Kind> all() {
        return kinds.sequencedValues();
    }

    /// The type an owner reference names; null where nobody serves it.
    public @Nullable ResourceType owner(String apiVersion, String kind) {
        return byOwner.get(apiVersion + "/" + kind);
    }

    public @Nullable SchemaDefaults schema(ResourceType type) {
        return schemas.get(type);
    }

    private static List<Kind> builtIn() {
        var kinds = new ArrayList<Kind>();
        kinds.add(apart(NAMESPACE, false, true, "ns"));
        kinds.add(
                new Kind(
                        NODE,
                        false,
                        Kind.StatusPart.BROUGHT,
                        false,
                        false,
                        List.of("no"),
                        List.of()));
        kinds.add(apart(POD, true, true, "po"));
        kinds.add(apart(POD_TEMPLATE, true, true));
        kinds.add(apart(SERVICE, false, true, "svc"));
        kinds.add(plain(SERVICE_ACCOUNT, true, "sa"));
        kinds.add(plain(CONFIG_MAP, false, "cm"));
        kinds.add(plain(SECRET, false));
        kinds.add(plain(EVENT, false, "ev"));
        kinds.add(apart(PERSISTENT_VOLUME, false, true, "pv"));
        kinds.add(apart(PERSISTENT_VOLUME_CLAIM, false, true, "pvc"));
        kinds.add(apart(REPLICATION_CONTROLLER, true, false, "rc"));
        kinds.add(apart(DEPLOYMENT, true, false, "deploy"));
        kinds.add(apart(REPLICA_SET, true, false, "rs"));
        kinds.add(apart(STATEFUL_SET, true, false, "sts"));
        kinds.add(apart(DAEMON_SET, true, false, "ds"));
        kinds.add(plain(CONTROLLER_REVISION, false));
        kinds.add(apart(JOB, true, false));
        kinds.add(apart(CRON_JOB, true, false, "cj"));
        kinds.add(apart(POD_DISRUPTION_BUDGET, true, false, "pdb"));
        kinds.add(plain(STORAGE_CLASS, true, "sc"));
        kinds.add(plain(CSI_NODE, true));
        kinds.add(
                new Kind(
                        VOLUME_ATTACHMENT,
                        false,
                        Kind.StatusPart.ALONE,
                        false,
                        true,
                        List.of(),
                        List.of()));
        kinds.add(plain(LEASE, false));
        kinds.add(
                new Kind(
                        PRIORITY_CLASS,
                        false,
                        Kind.StatusPart.NONE,
                        true,
                        false,
                        List.of("pc"),
                        List.of()));
        return kinds;
    }

    private static Kind apart(
            ResourceType type, boolean hasGeneration, boolean tellsDeleted, String... shortNames) {
        return new Kind(
                type,
                false,
                Kind.StatusPart.APART,
                hasGeneration,
                tellsDeleted,
                List.of(shortNames),
                List.of());
    }

    private static Kind plain(ResourceType type, boolean tellsDeleted, String... shortNames) {
        return new Kind(
                type,
                false,
                Kind.StatusPart.NONE,
                false,
                tellsDeleted,
                List.of(shortNames),
                List.of());
    }
}
