package dev.millwright.testing.e2e.rights;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// The account of a chart's pods on a control plane, with the chart's rights and no others. What
/// they are used for is written down when the control plane ends.
public final class ChartAccount {

    private static final Set<String> KINDS =
            Set.of("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");

    private static final Map<ControlPlane, List<ChartAccount>> KNOWN = new WeakHashMap<>();

    private final ControlPlane plane;
    private final Chart chart;
    private final List<String> values;
    private final Granted granted;
    private final int before;
    private final AtomicBoolean isWritten = new AtomicBoolean();

    private ChartAccount(
            ControlPlane plane, Chart chart, List<String> values, Granted granted, int before) {
        this.plane = plane;
        this.chart = chart;
        this.values = values;
        this.granted = granted;
        this.before = before;
    }

    /// The one of a release with these values, made when it is first asked for.
    public static ChartAccount of(ControlPlane plane, Chart chart, String... values) {
        synchronized (KNOWN) {
            var known = KNOWN.computeIfAbsent(plane, _ -> new ArrayList<>());
            var wanted = List.of(values).stream().sorted().toList();
            var same = known.stream().filter(each -> each.chart == chart).toList();
            for (var each : same) {
                if (each.values.equals(wanted)) {
                    return each;
                }
            }
            var made = made(plane, chart, wanted, same.size() + 1);
            known.add(made);
            return made;
        }
    }

    private static ChartAccount made(
            ControlPlane plane, Chart chart, List<String> values, int count) {
        var rendered = chart.render(count, values);
        var text = new StringBuilder();
        for (var document : rendered.split("(?m)^---$", -1)) {
            if (KINDS.stream().anyMatch(kind -> document.contains("\nkind: " + kind + "\n"))) {
                text.append("---").append(document);
            }
        }
        plane.apply(
                "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}"
                        .formatted(chart.namespace()));
        plane.apply(text.toString());
        return watched(plane, chart, values, rendered);
    }

    /// Of a release that is installed already, from now on.
    ///
    /// @param manifest all that was rendered
    public static ChartAccount watched(
            ControlPlane plane, Chart chart, List<String> values, String manifest) {
        var before = plane.audit().requests().size();
        var account =
                new ChartAccount(
                        plane,
                        chart,
                        values.stream().sorted().toList(),
                        Granted.of(manifest),
                        before);
        plane.atEnd(account::writeDown);
        return account;
    }

    public String namespace() {
        return chart.namespace();
    }

    /// Of the account, and of all objects that have the release's.
    public String name() {
        return granted.account();
    }

    /// The account as the API server knows it.
    public String user() {
        return "system:serviceaccount:%s:%s".formatted(chart.namespace(), granted.account());
    }

    /// A kubeconfig that knows the account's token alone.
    public Path kubeconfig() {
        var token =
                plane.kubectl(
                        "create",
                        "token",
                        granted.account(),
                        "-n",
                        chart.namespace(),
                        "--duration=3h");
        try {
            return Files.writeString(
                    Files.createTempFile("account", ".kubeconfig"),
                    """
                    apiVersion: v1
                    kind: Config
                    current-context: it
                    clusters: [{name: it, cluster: {server: "%s", certificate-authority: "%s"}}]
                    contexts: [{name: it, context: {cluster: it, user: it, namespace: %s}}]
                    users: [{name: it, user: {token: "%s"}}]
                    """
                            .formatted(
                                    plane.server(),
                                    plane.kubeconfig().resolveSibling("pki/ca.crt"),
                                    chart.namespace(),
                                    token.strip()),
                    UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// At the latest when the control plane ends; before, where another release takes the account.
    public void writeDown() {
        if (!isWritten.compareAndSet(false, true)) {
            return;
        }
        var requests =
                plane.audit().requests().stream()
                        .skip(before)
                        .filter(each -> each.user().equals(user()))
                        .toList();
        UsedRights.of(chart, values, granted, requests).write();
    }
}
