package dev.millwright.providers.sim.kwok;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.MachineOption;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/// A machine of kwok and the Node object it is made of. Pure: the same claim gives the same name,
/// so that a launch repeated after a crash meets the Node of the first.
record KwokNode(String name, Machine machine, Value.Mapping body) {

    static final String PROVIDER_PREFIX = "kwok://";

    /// By this label and annotation kwok knows which nodes to play.
    static final String FAKE_KEY = "kwok.x-k8s.io/node";

    static final String FAKE_VALUE = "fake";

    private static final String PRICE_KEY = "eks-node-viewer/instance-price";
    private static final String PARTITION_KEY = "kwok-partition";
    private static final String PARTITION = "a";

    /// Leaves room for what is added within the 253 characters of a name.
    private static final int CLAIM_NAME_LENGTH_MAX = 200;

    private static final int PRICE_DECIMALS = 6;

    static KwokNode of(
            MachineClaim claim, MachineOption option, LabelVocabulary vocabulary, Instant now) {
        var name = nameFor(claim);
        var labels = new TreeMap<>(option.labels(claim, vocabulary));
        labels.put(PRICE_KEY, price(option.offering().pricePerHour()));
        labels.put(PARTITION_KEY, PARTITION);
        labels.put(LabelKeys.HOSTNAME, claim.name());
        labels.put(FAKE_KEY, FAKE_VALUE);
        var annotations = new TreeMap<>(claim.annotations());
        annotations.put(FAKE_KEY, FAKE_VALUE);
        var machine =
                new Machine(
                        PROVIDER_PREFIX + name,
                        "",
                        labels,
                        annotations,
                        claim.requests(),
                        claim.requests().overriddenBy(option.allocatable()),
                        now,
                        false);
        return new KwokNode(name, machine, body(name, machine, claim));
    }

    private static String price(double pricePerHour) {
        return BigDecimal.valueOf(pricePerHour)
                .setScale(PRICE_DECIMALS, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    /// The claim is named as owner at once: should it vanish before the node is registered, the
    /// cluster itself clears the Node away.
    private static Value.Mapping body(String name, Machine machine, MachineClaim claim) {
        var owner =
                Tree.of("apiVersion", ResourceType.NODE_CLAIM.apiVersion())
                        .put("kind", ResourceType.NODE_CLAIM.kind())
                        .put("name", claim.name())
                        .put("uid", claim.uid())
                        .put("blockOwnerDeletion", true)
                        .mapping();
        var taint = Tree.of("key", LabelKeys.UNREGISTERED_TAINT).put("effect", "NoExecute");
        return Tree.of("apiVersion", ResourceType.NODE.apiVersion())
                .put("kind", ResourceType.NODE.kind())
                .put(
                        "metadata",
                        Tree.of("name", name)
                                .putTexts("labels", machine.labels())
                                .putTexts("annotations", machine.annotations())
                                .putList("ownerReferences", List.of(owner)))
                .put(
                        "spec",
                        Tree.of("providerID", machine.providerId())
                                .putList("taints", List.of(taint.mapping())))
                .put(
                        "status",
                        Tree.of("phase", "Pending")
                                .put("capacity", amounts(machine.capacity()))
                                .put("allocatable", amounts(machine.allocatable())))
                .mapping();
    }

    private static Tree amounts(Resources resources) {
        var tree = new Tree();
        resources
                .amounts()
                .forEach((name, amount) -> tree.put(name, Resources.render(name, amount)));
        return tree;
    }

    /// `kwok-<claim>-<letters>-<number>`, both from the claim's uid.
    static String nameFor(MachineClaim claim) {
        var hash = hash(claim.uid());
        var shortened =
                claim.name().substring(0, Math.min(claim.name().length(), CLAIM_NAME_LENGTH_MAX));
        return "kwok-%s-%s-%d"
                .formatted(
                        shortened,
                        HexFormat.of().formatHex(hash, 0, 5),
                        Integer.toUnsignedLong(ByteBuffer.wrap(hash, 5, 4).getInt()));
    }

    /// A number from 0 up to, not including, `count`: as good as drawn, yet the same for the same
    /// claim.
    static int lot(MachineClaim claim, int count) {
        return Math.floorMod(ByteBuffer.wrap(hash(claim.uid()), 9, 4).getInt(), count);
    }

    private static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    static boolean isOurs(String providerId) {
        return providerId.startsWith(PROVIDER_PREFIX);
    }

    /// The machine that a Node stands for.
    static Machine machineOf(NodeObject object) {
        var node = object.node();
        var annotations = new TreeMap<>(node.annotations());
        annotations.put(FAKE_KEY, FAKE_VALUE);
        return new Machine(
                node.providerId(),
                "",
                node.labels(),
                annotations,
                node.capacity(),
                node.allocatable(),
                object.meta().createdAt(),
                object.isDeleting());
    }
}
