package dev.millwright.core.cluster;

import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.cluster.SpreadConstraint.Inclusion;
import dev.millwright.core.cluster.Storage.StorageClass;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.testing.kit.NodeBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Objects of the cluster, as far as they know something about themselves.
final class ClusterObjectsTest {

    private static final SpreadConstraint SPREAD =
            SpreadConstraint.of(LabelKeys.ZONE, 1, true, Selector.EVERYTHING);

    // Ports
    // ----------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "'', 80, TCP, '', 80, TCP, true",
        "'', 80, TCP, 10.0.0.1, 80, TCP, true",
        "10.0.0.1, 80, TCP, '::', 80, TCP, true",
        "10.0.0.1, 80, TCP, 10.0.0.1, 80, TCP, true",
        "10.0.0.1, 80, TCP, 10.0.0.2, 80, TCP, false",
        "'', 80, TCP, '', 81, TCP, false",
        "'', 80, TCP, '', 80, UDP, false"
    })
    void portsClashOnTheSameAddress(
            String ip,
            int port,
            String protocol,
            String ip2,
            int port2,
            String protocol2,
            boolean isClash) {
        var one = new HostPort(ip, port, protocol);
        var other = new HostPort(ip2, port2, protocol2);

        assertThat(one.clashesWith(other)).isEqualTo(isClash);
        assertThat(other.clashesWith(one)).isEqualTo(isClash);
    }

    @Test
    void aPortIsOfAnyAddressAndTcpUnlessItSaysMore() {
        assertThat(new HostPort("", 80, "")).hasToString("IP=0.0.0.0 Port=80 Proto=TCP");
    }

    // Names
    // ----------------------------------------------------------------------------------------

    @Test
    void namesAreInTheOrderOfNamespaceAndName() {
        assertThat(
                        Stream.of("b/a", "a/b", "a/a")
                                .map(
                                        each ->
                                                new ObjectName(
                                                        each.substring(0, 1), each.substring(2)))
                                .sorted()
                                .map(ObjectName::toString)
                                .collect(Collectors.joining(" ")))
                .isEqualTo("a/a a/b b/a");
    }

    // Volumes
    // --------------------------------------------------------------------------------------

    private static StorageClass storageClass(String name, boolean isDefault, Instant createdAt) {
        return new StorageClass(name, "driver", false, isDefault, createdAt, List.of());
    }

    private static Storage storage(StorageClass... classes) {
        return new Storage(
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(
                        Stream.of(classes)
                                .collect(Collectors.toMap(StorageClass::name, each -> each))));
    }

    @Test
    void theNewestDefaultClassIsTheClustersDefault() {
        assertThat(
                        storage(
                                        storageClass("old", true, NOON),
                                        storageClass("new", true, NOON.plusSeconds(1)),
                                        storageClass("newest", false, NOON.plusSeconds(2)))
                                .defaultClass()
                                .name())
                .isEqualTo("new");
    }

    @Test
    void ofDefaultClassesOfOneAgeTheFirstByNameIsTheClustersDefault() {
        assertThat(
                        storage(storageClass("b", true, NOON), storageClass("a", true, NOON))
                                .defaultClass()
                                .name())
                .isEqualTo("a");
    }

    @Test
    void withoutADefaultClassThereIsNone() {
        assertThat(storage(storageClass("a", false, NOON)).defaultClass()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "kubernetes.io/aws-ebs, ebs.csi.aws.com",
        "kubernetes.io/gce-pd, pd.csi.storage.gke.io",
        "kubernetes.io/azure-disk, disk.csi.azure.com",
        "kubernetes.io/azure-file, file.csi.azure.com",
        "kubernetes.io/cinder, cinder.csi.openstack.org",
        "kubernetes.io/vsphere-volume, csi.vsphere.vmware.com",
        "kubernetes.io/portworx-volume, pxd.portworx.com",
        "ebs.csi.aws.com, ebs.csi.aws.com"
    })
    void anInTreePluginIsKnownByItsDriver(String plugin, String driver) {
        assertThat(Storage.csiDriver(plugin)).isEqualTo(driver);
    }

    // Placement
    // ------------------------------------------------------------------------------------

    @Test
    void aSpreadAllowsASkewOfOneAtLeast() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpreadConstraint.of(LabelKeys.ZONE, 0, true, null))
                .withMessageContaining("maxSkew 0 must be at least 1");
    }

    @Test
    void aSpreadOfWhichLittleIsSaidHasTheDefaultsOfKubernetes() {
        assertThat(SpreadConstraint.of(LabelKeys.ZONE, 2, true, null))
                .isEqualTo(
                        new SpreadConstraint(
                                LabelKeys.ZONE,
                                2,
                                true,
                                null,
                                null,
                                Inclusion.IGNORE,
                                Inclusion.HONOR,
                                List.of()));
    }

    @Test
    void aSpreadWithOneThingChangedIsOtherwiseTheSame() {
        var other = Selector.ofLabels(Map.of("a", "b"));

        assertThat(SPREAD.asWish().isHard()).isFalse();
        assertThat(SPREAD.withSelector(other).selector()).isEqualTo(other);
        assertThat(SPREAD.withSelector(other).withSelector(Selector.EVERYTHING)).isEqualTo(SPREAD);
        assertThat(SPREAD.withMinDomains(2).minDomains()).isEqualTo(2);
        assertThat(SPREAD.withMinDomains(2).withMinDomains(null)).isEqualTo(SPREAD);
        assertThat(SPREAD.withMatchLabelKeys(List.of("a")).matchLabelKeys()).containsExactly("a");
        assertThat(SPREAD.withMatchLabelKeys(List.of("a")).withMatchLabelKeys(List.of()))
                .isEqualTo(SPREAD);
        assertThat(SPREAD.withPolicies(Inclusion.HONOR, Inclusion.IGNORE))
                .isEqualTo(
                        new SpreadConstraint(
                                LabelKeys.ZONE,
                                1,
                                true,
                                Selector.EVERYTHING,
                                null,
                                Inclusion.HONOR,
                                Inclusion.IGNORE,
                                List.of()));
    }

    @Test
    void affinitiesAreEmptyWhenTheyAskAndWishForNothing() {
        var term = PodAffinity.Term.of(LabelKeys.ZONE, Selector.EVERYTHING);

        assertThat(PodAffinity.NONE.isEmpty()).isTrue();
        assertThat(new PodAffinity(List.of(term), List.of()).isEmpty()).isFalse();
        assertThat(new PodAffinity(List.of(), List.of(new PodAffinity.Weighted(1, term))).isEmpty())
                .isFalse();
    }

    @Test
    void aPlacementWithOneThingChangedIsOtherwiseTheSame() {
        var affinity = new PodAffinity(List.of(PodAffinity.Term.of("zone", null)), List.of());
        var nodes =
                new NodeAffinity(
                        List.of(NodeAffinity.Term.of(in(LabelKeys.ARCH, "amd64"))), List.of());
        var changed =
                PodPlacement.ANYWHERE
                        .withNodeSelector(new TreeMap<>(Map.of("a", "b")))
                        .withNodeAffinity(nodes)
                        .withPodAffinity(affinity)
                        .withPodAntiAffinity(affinity)
                        .withTolerations(List.of())
                        .withSpread(List.of(SPREAD));

        assertThat(changed)
                .isEqualTo(
                        new PodPlacement(
                                new TreeMap<>(Map.of("a", "b")),
                                nodes,
                                affinity,
                                affinity,
                                List.of(),
                                List.of(SPREAD)));
        assertThat(changed.nodeAffinity().required().getFirst().hasMatchFields()).isFalse();
    }

    // Snapshots
    // ------------------------------------------------------------------------------------

    @Test
    void aSnapshotWithOneThingChangedIsOtherwiseTheSame() {
        var snapshot =
                cluster()
                        .with(node("a"), pod("web"), disruptionBudget("web", Map.of("app", "web")))
                        .snapshot();

        assertThat(snapshot.withPods(List.of()).pods()).isEmpty();
        assertThat(snapshot.withPods(List.of()).withPods(snapshot.pods())).isEqualTo(snapshot);
        assertThat(snapshot.withNodes(List.of()).nodes()).isEmpty();
        assertThat(snapshot.withNodes(List.of()).withNodes(snapshot.nodes())).isEqualTo(snapshot);
        assertThat(snapshot.withDisruptionBudgets(List.of()).disruptionBudgets()).isEmpty();
        assertThat(
                        snapshot.withDisruptionBudgets(List.of())
                                .withDisruptionBudgets(snapshot.disruptionBudgets()))
                .isEqualTo(snapshot);
    }

    // Nodes
    // ----------------------------------------------------------------------------------------

    @Test
    void aNodeWhoseClaimOrNodeIsDeletedIsMarkedForDeletion() {
        assertThat(node("a").build().isMarkedForDeletion()).isFalse();
        assertThat(node("a").terminating().build().isMarkedForDeletion()).isTrue();
        assertThat(node("a").inFlight().terminating().build().isMarkedForDeletion()).isTrue();
        assertThat(node("a").unmanaged().terminating().build().isMarkedForDeletion()).isTrue();
        assertThat(node("a").build().markedForDeletion().isMarkedForDeletion()).isTrue();
        assertThat(node("a").build().insideConsolidateAfter().isInsideConsolidateAfter()).isTrue();
    }

    @Test
    void aNodeWithOtherAnnotationsIsOtherwiseTheSame() {
        var node = node("a").build().node();
        var note = new TreeMap<>(Map.of("note", "a"));

        assertThat(node.withAnnotations(note).annotations()).isEqualTo(note);
        assertThat(node.withAnnotations(note).withAnnotations(node.annotations())).isEqualTo(node);
    }

    @Test
    void theHostNameIsTheLabelsOrElseTheNodesOwn() {
        assertThat(node("a").label(LabelKeys.HOSTNAME, "host").build().hostName())
                .isEqualTo("host");
        assertThat(node("a").inFlight().build().hostName()).isEqualTo("a");
        assertThat(node("a").inFlight().build().name()).isEqualTo("a");
    }

    @Test
    void aNodeIsRegisteredAndInitializedByItsLabels() {
        assertThat(node("a").unregistered().build().isRegistered()).isFalse();
        assertThat(node("a").registered().build().isRegistered()).isTrue();
        assertThat(node("a").registered().build().isInitialized()).isFalse();
        assertThat(node("a").build().isInitialized()).isTrue();
        assertThat(node("a").inFlight().build().isRegistered()).isFalse();
        assertThat(node("a").inFlight().build().isInitialized()).isFalse();
        assertThat(node("a").unmanaged().build().isRegistered()).isTrue();
        assertThat(node("a").unmanaged().build().isInitialized()).isTrue();
        assertThat(node("a").unmanaged().build().isManaged()).isFalse();
        assertThat(node("a").build().isManaged()).isTrue();
    }

    private static List<Taint> taints(NodeBuilder node) {
        return node.build().taints();
    }

    @Test
    void theMarkOfANodeThatIsSteeredAwayFromRepelsNobody() {
        var team = taint("team", "a");

        assertThat(taints(node("a").nodeTaint(Taint.STEERED_AWAY).nodeTaint(team)))
                .containsExactly(team);
    }

    @Test
    void theMarksOfANodeThatRebootsAreOverlooked() {
        var team = taint("team", "a");
        var startup = taint("init", "");
        var notReady = new Taint("node.kubernetes.io/not-ready", "", Effect.NO_SCHEDULE);

        assertThat(
                        taints(
                                node("a")
                                        .nodeTaint(Taint.REBOOTING)
                                        .nodeTaint(notReady)
                                        .startupTaint(startup)
                                        .taint(team)))
                .containsExactly(team);
        assertThat(taints(node("a").nodeTaint(notReady))).containsExactly(notReady);
        assertThat(taints(node("a").unmanaged().nodeTaint(Taint.REBOOTING)))
                .containsExactly(Taint.REBOOTING);
    }

    @Test
    void volumeLimitsAreTheNodes() {
        assertThat(node("a").volumeLimit("ebs", 3).build().volumeLimits())
                .containsExactly(Map.entry("ebs", 3));
        assertThat(node("a").inFlight().build().volumeLimits()).isEmpty();
    }

    @Test
    void theNewestPodOfADaemonSetStandsForItButForWhereItMayRun() {
        var set = daemonSet("log").pod(each -> each.requires(in(LabelKeys.ARCH, "amd64"))).build();
        var pinned = pod("b").ownedBy("DaemonSet", "log").requires(in("pinned", "a")).cpu("2");

        assertThat(
                        set.representative(
                                List.of(
                                        pod("a").ownedBy("DaemonSet", "log").pod(),
                                        pinned.createdAt(NOON.plusSeconds(1)).pod(),
                                        pod("c").ownedBy("DaemonSet", "other")
                                                .createdAt(NOON.plusSeconds(2))
                                                .pod(),
                                        pod("d").ownedBy("ReplicaSet", "log")
                                                .createdAt(NOON.plusSeconds(2))
                                                .pod(),
                                        pod("e").ownedBy("DaemonSet", "log")
                                                .namespace("else")
                                                .createdAt(NOON.plusSeconds(2))
                                                .pod())))
                .satisfies(
                        found -> {
                            assertThat(found.name().name()).isEqualTo("b");
                            assertThat(found.placement().nodeAffinity().required())
                                    .isEqualTo(
                                            set.template().placement().nodeAffinity().required());
                        });
    }

    @Test
    void ofPodsOfOneAgeTheFirstByNameStandsForADaemonSet() {
        assertThat(
                        daemonSet("log")
                                .build()
                                .representative(
                                        List.of(
                                                pod("b").ownedBy("DaemonSet", "log").pod(),
                                                pod("a").ownedBy("DaemonSet", "log").pod()))
                                .name()
                                .name())
                .isEqualTo("a");
    }

    @Test
    void withoutPodsTheTemplateStandsForADaemonSet() {
        var set = daemonSet("log").build();

        assertThat(set.representative(List.of())).isEqualTo(set.template());
    }

    @Test
    void aVolumesClaimIsNamedByItselfOrByItsPod() {
        var web = new ObjectName("shop", "web");

        assertThat(new PodVolume.Claim("data").claim(web))
                .isEqualTo(new ObjectName("shop", "data"));
        assertThat(new PodVolume.Ephemeral("tmp", null).claim(web))
                .isEqualTo(new ObjectName("shop", "web-tmp"));
    }

    @Test
    void budgetsThatSelectAPodAreToldInTheirOrder() {
        var one = disruptionBudget("b", Map.of("app", "web")).budget();
        var other = disruptionBudget("a", Map.of("app", "web")).budget();
        var budgets = new DisruptionBudgets(List.of(one, other));

        assertThat(budgets.selecting(pod("web").label("app", "web").pod()))
                .containsExactly(one, other);
        assertThat(budgets.selecting(pod("api").pod())).isEmpty();
        assertThat(budgets.selecting(pod("web").namespace("else").label("app", "web").pod()))
                .isEmpty();
        assertThat(budgets.atPresent(pod("web").label("app", "web").pod()).budgets())
                .containsExactly(other.name(), one.name());
        assertThat(new DisruptionBudgets.Verdict.Free().budgets()).isEmpty();
        assertThat(new DisruptionBudgets.Verdict.Blocked(one.name()).budgets())
                .containsExactly(one.name());
    }
}
