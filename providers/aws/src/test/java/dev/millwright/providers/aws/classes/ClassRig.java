package dev.millwright.providers.aws.classes;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition;
import dev.millwright.providers.aws.controllers.nodeclass.Finalization;
import dev.millwright.providers.aws.controllers.nodeclass.NodeClassController;
import dev.millwright.providers.aws.controllers.nodeclass.Selection;
import dev.millwright.providers.aws.controllers.nodeclass.Trial;
import dev.millwright.providers.aws.controllers.nodeclass.Validation;
import dev.millwright.providers.aws.image.ClusterVersion;
import dev.millwright.providers.aws.image.Images;
import dev.millwright.providers.aws.launch.ClusterFacts;
import dev.millwright.providers.aws.launch.Fleets;
import dev.millwright.providers.aws.launch.LaunchListener;
import dev.millwright.providers.aws.launch.LaunchTemplates;
import dev.millwright.providers.aws.launch.LaunchTrials;
import dev.millwright.providers.aws.launch.Launcher;
import dev.millwright.providers.aws.launch.NodeWords;
import dev.millwright.providers.aws.launch.Shortages;
import dev.millwright.providers.aws.launch.TemplateMaker;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.network.SecurityGroups;
import dev.millwright.providers.aws.network.ServiceCidr;
import dev.millwright.providers.aws.network.Subnets;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.profile.InstanceProfiles;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.TypeShop;
import dev.millwright.testing.kit.aws.account.TestAccounts;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/// An EC2NodeClass called `default` in a cluster in memory, and a [TestAccount].
final class ClassRig {

    /// Slow to make, and the same for every test.
    private static final AccountClients SHARED = TestAccounts.shared().clients();

    private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

    /// Nobody looks at what is measured.
    private static final Meter UNHEARD =
            new Meter() {
                @Override
                public void count(MetricFamily family, double amount, List<String> labels) {}

                @Override
                public void observe(MetricFamily family, double value, List<String> labels) {}

                @Override
                public void replace(String owner, List<GaugeSample> samples) {}
            };

    private static final ObjectName NAME = new ObjectName("", "default");

    /// Of the first class of a rig.
    static final String UID = "class-uid";

    private static final Duration REFRESH = Duration.ofMinutes(1);

    /// How a rig differs from what a cluster has by default.
    record Setup(
            AccountClients clients, boolean hasReservedCapacity, boolean hasIam, boolean isTried) {
        static final Setup USUAL = new Setup(SHARED, true, true, false);

        Setup with(AccountClients others) {
            return new Setup(others, hasReservedCapacity, hasIam, isTried);
        }

        Setup withoutReservedCapacity() {
            return new Setup(clients, false, hasIam, isTried);
        }

        Setup isolated() {
            return new Setup(clients, hasReservedCapacity, false, isTried);
        }

        Setup tried() {
            return new Setup(clients, hasReservedCapacity, hasIam, true);
        }
    }

    private final Rig rig = new Rig(Ec2NodeClass.TYPE);
    private final AccountClients clients;
    private final Subnets subnets;
    private final CapacityReservations reservations;
    private final PlacementGroups placementGroups;
    private final Images images;
    private final InstanceProfiles profiles;
    private final NodeClassController controller;
    private final List<String> forgotten = new ArrayList<>();
    private int profilesMade;
    private int classesMade;

    ClassRig() {
        this(Setup.USUAL);
    }

    ClassRig(Setup setup) {
        clients = setup.clients();
        var clock = rig.clock();
        subnets = new Subnets(clients.ec2(), clock, REFRESH);
        reservations = new CapacityReservations(clients.ec2(), clock);
        placementGroups = new PlacementGroups(clients.ec2(), clock);
        images =
                new Images(
                        clients.ec2(),
                        clients.ssm(),
                        new ClusterVersion(
                                ClusterVersion.Source.eks(clients.eks(), TestAccount.CLUSTER)),
                        clock,
                        REFRESH);
        profiles =
                new InstanceProfiles(
                        clients.iam(),
                        TestAccount.CLUSTER,
                        TestAccount.REGION,
                        clock,
                        () -> new UUID(0, ++profilesMade));
        controller =
                new NodeClassController(
                        rig.classKind(),
                        new Selection(
                                images,
                                reservations,
                                placementGroups,
                                subnets,
                                new SecurityGroups(clients.ec2(), clock),
                                setup.hasReservedCapacity()),
                        profiles,
                        new Validation(
                                new ServiceCidr(clients.eks(), TestAccount.CLUSTER),
                                setup.isTried() ? new Trial(clients.ec2(), trials()) : null,
                                clock),
                        new Finalization(
                                clients.ec2(),
                                setup.hasIam() ? profiles : null,
                                TestAccount.CLUSTER),
                        forgotten::add);
    }

    /// As the provider tries classes.
    private LaunchTrials trials() {
        var clock = rig.clock();
        var shop = new TypeShop();
        var cluster =
                new ClusterFacts(
                        TestAccount.CLUSTER,
                        TestAccount.REGION,
                        "https://test-cluster",
                        "Y2E=",
                        "10.0.100.10");
        var launcher =
                new Launcher(
                        new TemplateMaker(cluster, true),
                        new LaunchTemplates(clients.ec2(), clock),
                        new NodeWords(cluster, () -> "10.100.0.0/16"),
                        new Fleets(clients.ec2(), THREADS, (_, _, _) -> {}),
                        subnets,
                        new Shortages(shop.unavailable(), subnets, reservations),
                        MinValues.STRICT,
                        LaunchListener.NONE,
                        UNHEARD,
                        clock);
        return new LaunchTrials(
                launcher, shop.catalogue(), placementGroups, TestAccount.CLUSTER, clock);
    }

    /// The class with the usual spec and these fields, each a name and its value as YAML. An empty
    /// value takes the field away.
    ClassRig make(String... fieldsAndValues) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("amiSelectorTerms", "[{alias: al2023@latest}]");
        fields.put("subnetSelectorTerms", "[{tags: {karpenter.sh/discovery: test-cluster}}]");
        fields.put(
                "securityGroupSelectorTerms", "[{tags: {karpenter.sh/discovery: test-cluster}}]");
        fields.put("role", "test-role");
        for (var index = 0; index < fieldsAndValues.length; index += 2) {
            fields.put(fieldsAndValues[index], fieldsAndValues[index + 1]);
        }
        var spec = new StringBuilder();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            if (!field.getValue().isEmpty()) {
                spec.append("  %s: %s\n".formatted(field.getKey(), field.getValue()));
            }
        }
        rig.apply(
                """
                apiVersion: karpenter.k8s.aws/v1
                kind: EC2NodeClass
                metadata:
                  name: default
                  uid: %s
                  creationTimestamp: "2026-01-01T12:00:00Z"
                spec:
                """
                                .formatted(classesMade == 0 ? UID : UID + classesMade)
                        + spec);
        classesMade++;
        return this;
    }

    /// A pool that uses the class.
    ClassRig pool(String name, String requirements) {
        rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: %s, uid: %s-uid}
                spec:
                  template:
                    spec:
                      requirements: %s
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                """
                        .formatted(name, name, requirements));
        return this;
    }

    /// Changes the spec as a user would.
    ClassRig change(String field, String value) {
        var spec = Tree.of();
        if (value.isEmpty()) {
            spec.putNothing(field);
        } else {
            spec.put(field, yaml(value));
        }
        return patch(Tree.of("spec", spec));
    }

    ClassRig annotate(String key, String value) {
        return patch(Tree.of("metadata", Tree.of("annotations", Tree.of(key, value))));
    }

    private ClassRig patch(Tree body) {
        var answer =
                rig.api()
                        .write(
                                new ApiWrite.Patch(
                                        Ec2NodeClass.TYPE,
                                        NAME,
                                        ApiWrite.PatchKind.MERGE,
                                        ApiWrite.Subresource.NONE,
                                        body.mapping()));
        if (!answer.isDone()) {
            throw new IllegalStateException(answer.explain());
        }
        return this;
    }

    private static Value yaml(String text) {
        return DocumentReader.readAll(Source.text("value", text)).getFirst();
    }

    ClassRig delete() {
        rig.api().write(new ApiWrite.Delete(Ec2NodeClass.TYPE, NAME, null, null));
        return this;
    }

    /// What the controller does for the class until it waits for something: the first look only
    /// puts the finalizer on.
    Ending look() {
        var isNew = find() != null && nodeClass().meta().finalizers().isEmpty();
        var ending = rig.run(controller, NAME);
        return isNew ? rig.run(controller, NAME) : ending;
    }

    /// As [#look], after a while.
    Ending lookAfter(Duration time) {
        rig.advance(time);
        return look();
    }

    @Nullable Ec2NodeClass find() {
        var object = rig.view().cache(rig.classKind()).find(NAME);
        return object == null ? null : Ec2NodeClass.of(object);
    }

    Ec2NodeClass nodeClass() {
        return Objects.requireNonNull(find(), "the class is not there");
    }

    NodeClassStatus status() {
        return nodeClass().status();
    }

    /// `Status Reason`, e.g. `False SubnetsNotFound`, or empty when nobody has set it.
    String condition(String type) {
        var condition = conditionOrNull(type);
        return condition == null ? "" : condition.status().text() + " " + condition.reason();
    }

    String message(String type) {
        return Objects.requireNonNull(conditionOrNull(type), type).message();
    }

    private @Nullable Condition conditionOrNull(String type) {
        return nodeClass().conditions().stream()
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElse(null);
    }

    Rig rig() {
        return rig;
    }

    AccountClients clients() {
        return clients;
    }

    NodeClassController controller() {
        return controller;
    }

    Subnets subnets() {
        return subnets;
    }

    CapacityReservations reservations() {
        return reservations;
    }

    PlacementGroups placementGroups() {
        return placementGroups;
    }

    Images images() {
        return images;
    }

    InstanceProfiles profiles() {
        return profiles;
    }

    /// The classes whose going was told elsewhere.
    List<String> forgotten() {
        return List.copyOf(forgotten);
    }
}
