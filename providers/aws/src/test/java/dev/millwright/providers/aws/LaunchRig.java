package dev.millwright.providers.aws;

import static dev.millwright.testing.kit.aws.ClassFactsDraft.facts;

import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.image.ClusterVersion;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.launch.ClusterFacts;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.TypeShop;
import dev.millwright.testing.kit.aws.account.TestAccounts;
import dev.millwright.testing.kit.log.RecordingLog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/// Launches from one class of Amazon Linux 2023, and shows what EC2 was asked for.
final class LaunchRig implements AutoCloseable {

    static final Resources REQUESTS =
            Resources.parse("cpu", "500m", "memory", "100Mi", "pods", "3");

    private static final String CLASS =
            """
            apiVersion: karpenter.k8s.aws/v1
            kind: EC2NodeClass
            metadata: {name: default, uid: u, generation: 1}
            spec:
              amiSelectorTerms: [{alias: al2023@latest}]
              role: test-role
              subnetSelectorTerms: [{tags: {karpenter.sh/discovery: test-cluster}}]
              securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: test-cluster}}]
            status:
              conditions:
              - {type: Ready, status: "True", reason: Ready, observedGeneration: 1}
              subnets:
              - {id: subnet-test1, zone: us-east-1a, zoneID: use1-az1}
              - {id: subnet-test2, zone: us-east-1b, zoneID: use1-az2}
              - {id: subnet-test3, zone: us-east-1c, zoneID: use1-az4}
              securityGroups: [{id: sg-test1, name: securityGroup-test1}]
              amis:
              - id: ami-al2023amd64standard
                requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
              - id: ami-al2023arm64standard
                requirements: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]
            """;

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

    private final TestAccount endpoint = TestAccounts.shared();
    private final AccountClients clients = endpoint.clients();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final FakeClock clock = new FakeClock();
    private final TypeShop shop = new TypeShop();
    private final AwsCloud cloud;
    private int launches;

    LaunchRig() {
        var cluster =
                new ClusterFacts(
                        TestAccount.CLUSTER,
                        TestAccount.REGION,
                        "https://test-cluster",
                        "Y2E=",
                        "10.0.100.10");
        var kind = Kind.nodeClass(Ec2NodeClass.TYPE);
        var view = new View(new ObjectReader(Ec2Labels.VOCABULARY), List.of(), List.of(kind));
        view.cache(kind).put(nodeClass());
        var provider =
                new AwsProvider(
                        clients.apis(),
                        SettingsReader.defaults(),
                        cluster,
                        new ClusterVersion(() -> "1.35"),
                        "",
                        new AwsProvider.Surroundings(
                                view,
                                kind,
                                event -> {},
                                UNHEARD,
                                new RecordingLog(),
                                threads,
                                clock,
                                () -> new UUID(0, 1)));
        var infos = shop.infos();
        provider.knownTypes()
                .acceptTypes(new Asked.Told<>(List.copyOf(infos.types().sequencedValues())));
        provider.knownTypes().acceptZones(new Asked.Told<>(infos.zonesByType()));
        cloud = provider.asCloud();
    }

    private static Value.Mapping nodeClass() {
        var document = DocumentReader.readAll(Source.text("class", CLASS)).getFirst();
        if (!(document instanceof Value.Mapping mapping)) {
            throw new AssertionError("the class is no mapping");
        }
        return mapping;
    }

    /// What EC2 sells to the class.
    List<InstanceType> types() {
        ClassFacts facts = facts().build();
        return shop.types(facts);
    }

    LaunchAnswer launch(Requirement... requirements) {
        return cloud.launch(
                new MachineClaim(
                        "claim",
                        "uid-" + launches++,
                        clock.instant(),
                        new TreeMap<>(Map.of(LabelKeys.NODE_POOL, "pool")),
                        new TreeMap<>(),
                        Stream.of(requirements)
                                .flatMap(each -> each.selectorRequirements().stream())
                                .toList(),
                        List.of(),
                        List.of(),
                        REQUESTS,
                        new NodeClassRef(
                                Ec2NodeClass.KIND.group(), Ec2NodeClass.KIND.kind(), "default"),
                        "",
                        ""));
    }

    /// The types that the last fleet was asked to choose from.
    SequencedSet<String> asked() {
        var names = new TreeSet<String>();
        var last = endpoint.requests("CreateFleet").getLast();
        for (var config : elements(last, "LaunchTemplateConfigs")) {
            for (var override : elements(config, "Overrides")) {
                names.add(text(override, "InstanceType"));
            }
        }
        return names;
    }

    /// The tenancies of all templates that were made.
    List<String> tenancies() {
        var found = new ArrayList<String>();
        for (var request : endpoint.requests("CreateLaunchTemplate")) {
            if (request.fields().get("LaunchTemplateData") instanceof Value.Mapping data
                    && data.fields().get("Placement") instanceof Value.Mapping placement) {
                found.add(text(placement, "Tenancy"));
            }
        }
        return found;
    }

    private static List<Value.Mapping> elements(Value.Mapping mapping, String field) {
        return mapping.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                        .filter(Value.Mapping.class::isInstance)
                        .map(Value.Mapping.class::cast)
                        .toList()
                : List.of();
    }

    private static String text(Value.Mapping mapping, String field) {
        var found = mapping.text(field);
        return found == null ? "" : found;
    }

    @Override
    public void close() {
        threads.close();
        clients.close();
    }
}
