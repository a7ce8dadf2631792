package dev.millwright.capi.kubeconfig;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.apply.Marks;
import dev.millwright.capi.apply.WantedApply;
import dev.millwright.capi.apply.WorkspaceState;
import dev.millwright.capi.controlplane.ControlPlanes;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.port.Secrets.Answer;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/// One look at the Secrets of a control plane whose EKS cluster is there.
final class KubeconfigLook {

    static final String TEMPLATE = "eks-kubeconfig-template";

    private static final String AUTHORITY_KEY = "cluster_certificate_authority_data";
    private static final String DEFAULT_NAMESPACE = "default";

    private static final Duration LOOK_EVERY = Duration.ofMinutes(10);
    private static final Duration WAIT = Duration.ofSeconds(10);

    /// How long a run that was asked for may take before it is asked for again.
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final View view;
    private final RawObject own;
    private final RawObject cluster;
    private final Instant now;
    private final @Nullable RawObject apply;

    KubeconfigLook(View view, RawObject own, RawObject cluster, Instant now) {
        this.view = view;
        this.own = own;
        this.cluster = cluster;
        this.now = now;
        this.apply = Applies.find(view, ControlPlanes.kubeconfigApplyName(own));
    }

    /// What is in the Secrets that matter. Its parts do not print themselves.
    record Found(Answer connection, Answer outputs, Answer kubeconfig, Answer authority) {}

    static String outputsName(String clusterName) {
        return clusterName + "-outputs-kubeconfig";
    }

    static ObjectName kubeconfigName(String namespace, String clusterName) {
        return new ObjectName(namespace, clusterName + "-kubeconfig");
    }

    static ObjectName authorityName(String namespace, String clusterName) {
        return new ObjectName(namespace, clusterName + "-ca");
    }

    @Nullable WorkspaceState workspace() {
        return Applies.state(view, apply);
    }

    private String clusterName() {
        return cluster.name().name();
    }

    /// `noted` hears until when all is well.
    Step step(Found found, Consumer<Instant> noted) {
        for (var answer :
                List.of(
                        found.connection(),
                        found.outputs(),
                        found.kubeconfig(),
                        found.authority())) {
            if (answer instanceof Answer.Failed(var message)) {
                return unready("SecretReconciliationFailed", message);
            }
        }
        if (!(found.connection() instanceof Answer.Found connection)) {
            return unready("Creating", "waits for Secret " + ControlPlanes.connectionSecret(own));
        }
        var authority = pem(connection.data().get(AUTHORITY_KEY));
        if (authority == null) {
            return unready(
                    "SecretReconciliationFailed",
                    "Secret %s has no key %s; the template must output it"
                            .formatted(ControlPlanes.connectionSecret(own), AUTHORITY_KEY));
        }
        var template = template();
        if (template == null) {
            return unready(
                    "KubeconfigGenerationFailed",
                    "WorkspaceTemplate %s is neither in namespace %s nor in default"
                            .formatted(TEMPLATE, own.name().namespace()));
        }
        var authoritySecret = authoritySecret(authority);
        var taken = authoritySecret.refusal(own, found.authority());
        if (taken != null) {
            return unready("SecretReconciliationFailed", taken);
        }
        var effects = new ArrayList<Effect>(authoritySecret.effects(own, found.authority()));
        effects.addAll(wanted(template, authority).effects(CaptTypes.CONTROL_PLANE, own, apply));
        return Step.of(effects).followedBy(kubeconfig(found, noted));
    }

    private WantedSecret authoritySecret(byte[] authority) {
        var data = new TreeMap<String, byte[]>();
        data.put("tls.crt", authority);
        data.put("ca.crt", authority);
        return new WantedSecret(
                authorityName(own.name().namespace(), clusterName()), clusterName(), data);
    }

    private WantedApply wanted(ObjectName template, byte[] authority) {
        var variables = new TreeMap<String, String>();
        var endpoint = own.spec().at("controlPlaneEndpoint");
        var port = endpoint.at("port").whole(0, 65_535, 443);
        variables.put("cluster_name", clusterName());
        variables.put("region", ControlPlanes.region(own, cluster));
        variables.put(
                "cluster_endpoint",
                "https://" + ControlPlanes.host(own) + (port == 443 ? "" : ":" + port));
        variables.put(AUTHORITY_KEY, Base64.getEncoder().encodeToString(authority));
        var eks = ControlPlanes.eksApply(view, own);
        return new WantedApply(
                ControlPlanes.kubeconfigApplyName(own),
                clusterName(),
                template,
                variables,
                new ObjectName(own.name().namespace(), outputsName(clusterName())),
                eks == null ? List.of() : List.of(Applies.workspaceName(eks.name().name())),
                false);
    }

    /// In its own namespace, else where CAPT wants it.
    private @Nullable ObjectName template() {
        for (var namespace : List.of(own.name().namespace(), DEFAULT_NAMESPACE)) {
            var name = new ObjectName(namespace, TEMPLATE);
            if (view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(name) != null) {
                return name;
            }
        }
        return null;
    }

    /// Base64 is undone where it is there; null when it is no certificate either way.
    private static byte @Nullable [] pem(byte @Nullable [] stored) {
        if (stored == null || isPem(stored)) {
            return stored;
        }
        try {
            var decoded = Base64.getMimeDecoder().decode(stored);
            return isPem(decoded) ? decoded : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static boolean isPem(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).strip().startsWith("-----BEGIN");
    }

    private Step kubeconfig(Found found, Consumer<Instant> noted) {
        var workspace = workspace();
        var error = workspace == null ? null : workspace.error();
        var bytes =
                found.outputs() instanceof Answer.Found outputs
                        ? outputs.data().get("kubeconfig")
                        : null;
        if (bytes == null) {
            return error == null
                    ? unready("Creating", "waits for the kubeconfig")
                    : unready("KubeconfigGenerationFailed", error);
        }
        var reading = Expiry.of(bytes);
        if (reading instanceof Expiry.Reading.Unusable) {
            return unready(
                    "KubeconfigGenerationFailed",
                    "key kubeconfig of Secret %s holds no kubeconfig"
                            .formatted(outputsName(clusterName())));
        }
        var data = new TreeMap<String, byte[]>();
        data.put("value", bytes);
        var secret =
                new WantedSecret(
                        kubeconfigName(own.name().namespace(), clusterName()), clusterName(), data);
        var taken = secret.refusal(own, found.kubeconfig());
        if (taken != null) {
            return unready("SecretReconciliationFailed", taken);
        }
        return Step.of(secret.effects(own, found.kubeconfig()))
                .followedBy(kept(reading, workspace, error, noted));
    }

    private Step kept(
            Expiry.Reading reading,
            @Nullable WorkspaceState workspace,
            @Nullable String error,
            Consumer<Instant> noted) {
        if (!(reading instanceof Expiry.Reading.Ending(var expiry))) {
            return ready("", true).followedBy(rest(LOOK_EVERY, noted));
        }
        var until = expiry.until().truncatedTo(ChronoUnit.SECONDS);
        var renewAt = expiry.renewAt();
        if (now.isBefore(renewAt)) {
            var left = Duration.between(now, renewAt);
            return ready("valid until " + until, true)
                    .followedBy(rest(left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY, noted));
        }
        var isExpired = now.isAfter(expiry.until());
        var message =
                "%s %s and is being renewed%s"
                        .formatted(
                                isExpired ? "expired at" : "valid until",
                                until,
                                error == null ? "" : ": " + error);
        return renewal(workspace, renewAt)
                .followedBy(ready(message, !isExpired))
                .followedBy(Step.again(WAIT));
    }

    private Step renewal(@Nullable WorkspaceState workspace, Instant renewAt) {
        if (workspace == null || isAsked(workspace.workspace(), renewAt)) {
            return Step.DONE;
        }
        return Step.of(
                new Effect.Write(
                        ObjectPatches.patch(
                                CaptTypes.WORKSPACE,
                                workspace.workspace(),
                                Tree.of(
                                        "metadata",
                                        Tree.of(
                                                "annotations",
                                                Tree.of(
                                                        Marks.RUN_AT,
                                                        now.truncatedTo(ChronoUnit.SECONDS)
                                                                .toString()))))));
    }

    private boolean isAsked(RawObject workspace, Instant renewAt) {
        var asked = workspace.meta().annotation(Marks.RUN_AT);
        try {
            return asked != null
                    && !Instant.parse(asked).isBefore(renewAt.truncatedTo(ChronoUnit.SECONDS))
                    && now.isBefore(Instant.parse(asked).plus(PATIENCE));
        } catch (DateTimeParseException _) {
            return false;
        }
    }

    private Step rest(Duration rest, Consumer<Instant> noted) {
        return Step.of(new Effect.Remember("secrets are right", () -> noted.accept(now.plus(rest))))
                .thenAgain(rest);
    }

    private Step ready(String message, boolean isValid) {
        return status(
                new Tree().put("secretsReady", true),
                isValid ? Status.TRUE : Status.FALSE,
                isValid ? "Available" : "KubeconfigExpired",
                message);
    }

    /// A kubeconfig that was there stays: what is wrong now may pass before it expires.
    private Step unready(String reason, String message) {
        var step = status(Tree.of(), Status.FALSE, reason, message);
        var before = own.conditions().find(ControlPlanes.KUBECONFIG_READY);
        if (reason.equals("Creating") || (before != null && before.message().equals(message))) {
            return step.thenAgain(WAIT);
        }
        return Step.of(
                        new Effect.Publish(
                                KubeEvent.warning(
                                        KubeEvent.Subject.of(CaptTypes.CONTROL_PLANE.type(), own),
                                        reason,
                                        message)))
                .followedBy(step)
                .thenAgain(WAIT);
    }

    private Step status(Tree fields, Status status, String reason, String message) {
        var conditions =
                own.conditions()
                        .with(
                                ControlPlanes.KUBECONFIG_READY,
                                status,
                                reason,
                                message,
                                own.meta().generation(),
                                now);
        return Step.of(
                ObjectPatches.statusIfChanged(
                        CaptTypes.CONTROL_PLANE,
                        own,
                        fields.put("conditions", conditions.value())));
    }
}
