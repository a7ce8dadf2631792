package dev.millwright.testing.e2e.aws;

import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Plays the kubelets of a region: an instance that runs joins the cluster by what its user data
/// says, and one that is gone takes its pods with it.
///
/// What the node is like is kwok's to play on; that it joins with the right labels and taints is
/// read from the bytes that EC2 was given.
public final class Kubelets implements AutoCloseable {

    private static final Pattern LABELS = Pattern.compile("--node-labels=([^\"'\\n]+)");
    private static final long PAUSE_MILLIS = 200;

    private final AwsEndpoint endpoint;
    private final ControlPlane plane;
    private final Predicate<Value.Mapping> isOurs;
    private final Set<String> joined = new HashSet<>();
    private final Thread thread;
    private volatile boolean isOver;

    /// All instances are of one cluster.
    public Kubelets(AwsEndpoint endpoint, ControlPlane plane) {
        this(endpoint, plane, _ -> true);
    }

    /// The account has other clusters too, whose instances join elsewhere.
    public static Kubelets of(AwsEndpoint endpoint, ControlPlane plane, String cluster) {
        return new Kubelets(endpoint, plane, instance -> isOf(instance, cluster));
    }

    private Kubelets(AwsEndpoint endpoint, ControlPlane plane, Predicate<Value.Mapping> isOurs) {
        this.endpoint = endpoint;
        this.plane = plane;
        this.isOurs = isOurs;
        this.thread = Thread.ofVirtual().name("kubelets").start(this::play);
    }

    private void play() {
        while (!isOver) {
            for (var instance : endpoint.instances()) {
                if (state(instance).equals("running")
                        && isOurs.test(instance)
                        && joined.add(text(instance, "id"))) {
                    join(instance);
                }
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    /// Whether an operator launched it for a NodePool of that cluster.
    private static boolean isOf(Value.Mapping instance, String cluster) {
        return instance.fields().get("tags") instanceof Value.Mapping tags
                && text(tags, "kubernetes.io/cluster/" + cluster).equals("owned")
                && !text(tags, "karpenter.sh/nodepool").isEmpty();
    }

    /// The ids of instances that an operator launched for that cluster and that run or soon will.
    public static List<String> alive(AwsEndpoint endpoint, String cluster) {
        return endpoint.instances().stream()
                .filter(instance -> isOf(instance, cluster))
                .filter(instance -> List.of("pending", "running").contains(state(instance)))
                .map(instance -> text(instance, "id"))
                .toList();
    }

    static String state(Value.Mapping instance) {
        return text(instance, "state");
    }

    static String text(Value.Mapping object, String field) {
        var text = object.text(field);
        return text == null ? "" : text;
    }

    private void join(Value.Mapping instance) {
        var zone = text(instance, "zone");
        var words =
                new String(
                        Base64.getDecoder().decode(text(instance, "user_data")),
                        StandardCharsets.UTF_8);
        var labels = new ArrayList<String>();
        var given = LABELS.matcher(words);
        if (given.find()) {
            for (var label : given.group(1).split(",", -1)) {
                var equals = label.indexOf('=');
                labels.add(
                        "            %s: \"%s\""
                                .formatted(
                                        label.substring(0, equals), label.substring(equals + 1)));
            }
        }
        plane.apply(node(instance, zone, labels, words));
    }

    private static String node(
            Value.Mapping instance, String zone, List<String> labels, String words) {
        var name = "ip-" + text(instance, "address").replace('.', '-') + ".ec2.internal";
        return """
        apiVersion: v1
        kind: Node
        metadata:
          name: %s
          annotations: {kwok.x-k8s.io/node: fake}
          labels:
            kubernetes.io/hostname: %s
            kubernetes.io/os: linux
            kubernetes.io/arch: amd64
        %s
        spec:
          providerID: aws:///%s/%s
          taints:
          - {key: karpenter.sh/unregistered, effect: %s}
        """
                .formatted(
                        name,
                        name,
                        String.join("\n", labels),
                        zone,
                        text(instance, "id"),
                        words.contains("karpenter.sh/unregistered") ? "NoExecute" : "NoSchedule");
    }

    @Override
    public void close() {
        isOver = true;
        thread.interrupt();
    }
}
