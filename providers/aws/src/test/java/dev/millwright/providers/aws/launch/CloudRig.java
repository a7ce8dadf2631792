package dev.millwright.providers.aws.launch;

import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.providers.aws.AwsCloud;
import dev.millwright.providers.aws.AwsProvider;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.image.ClusterVersion;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.runtime.step.Controller;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccounts;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;
import dev.millwright.testing.kit.cluster.Rig;
import dev.millwright.testing.kit.log.RecordingLog;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// The whole provider between a cluster in memory and a [TestAccount].
final class CloudRig implements AutoCloseable {

    /// Slow to make, and the same for every test.
    private static final AccountClients CLIENTS = TestAccounts.shared().clients();

    /// To make all types for each test would take most of its time.
    private static final Set<String> FAMILIES =
            Set.of("m5", "m5d", "c5", "c5d", "r5", "m6g", "t3", "p4d", "g4dn");

    private static final List<InstanceTypeInfo> TYPES;
    private static final SequencedMap<String, SortedSet<String>> ZONES;

    static {
        try {
            TYPES =
                    CLIENTS.ec2().instanceTypes().stream()
                            .filter(type -> FAMILIES.contains(type.name().split("\\.", 2)[0]))
                            .toList();
            ZONES = CLIENTS.ec2().zonesByType();
        } catch (AwsFault fault) {
            throw new AssertionError("the endpoint does not say what it sells", fault);
        }
    }

    private final TestAccount endpoint = TestAccounts.shared();
    private final Rig rig = new Rig(Ec2NodeClass.TYPE);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Gate gate = new Gate(threads);
    private final List<KubeEvent> events = new ArrayList<>();
    private final RecordingLog log = new RecordingLog();
    private final Measures meter = new Measures();
    private final AwsProvider provider;
    private final List<Controller> controllers;
    private int chances;

    /// How a cluster differs from the usual one.
    record Setup(
            String region, String dnsAddress, Map<String, String> flags, AccountClients clients) {
        static final Setup USUAL = new Setup(TestAccount.REGION, "10.0.100.10", Map.of(), CLIENTS);

        Setup in(String otherRegion) {
            return new Setup(otherRegion, dnsAddress, flags, clients);
        }

        Setup dns(String address) {
            return new Setup(region, address, flags, clients);
        }

        Setup flag(String name, String value) {
            var more = new TreeMap<>(flags);
            more.put(name, value);
            return new Setup(region, dnsAddress, more, clients);
        }

        /// A client that is throttled slows down all that use it.
        Setup with(AccountClients others) {
            return new Setup(region, dnsAddress, flags, others);
        }
    }

    CloudRig() {
        this(Setup.USUAL);
    }

    CloudRig(Setup setup) {
        var flags = new TreeMap<>(setup.flags());
        flags.put("provider", "aws");
        flags.put("cluster-name", TestAccount.CLUSTER);
        flags.putIfAbsent("disable-dry-run", "true");
        var clients = setup.clients();
        var apis = clients.apis();
        provider =
                new AwsProvider(
                        apis,
                        SettingsReader.read(flags, Map.of()).settings(),
                        new ClusterFacts(
                                TestAccount.CLUSTER,
                                setup.region(),
                                "https://test-cluster",
                                "Y2E=",
                                setup.dnsAddress()),
                        new ClusterVersion(
                                ClusterVersion.Source.eks(clients.eks(), TestAccount.CLUSTER)),
                        TestAccount.CLUSTER_ARN,
                        new AwsProvider.Surroundings(
                                rig.view(),
                                rig.classKind(),
                                events::add,
                                meter,
                                log,
                                gate,
                                rig.clock(),
                                () -> new UUID(0, ++chances)));
        provider.knownTypes().acceptTypes(new Asked.Told<>(TYPES));
        provider.knownTypes().acceptZones(new Asked.Told<>(ZONES));
        controllers = provider.controllers();
        pool("default", "default");
    }

    /// A class with the usual spec, as the API server fills it in, and these fields, each a name
    /// and its value as YAML, looked at by its controller. An empty value takes the field away.
    CloudRig nodeClass(String name, String... fieldsAndValues) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("amiSelectorTerms", "[{alias: al2023@latest}]");
        fields.put("subnetSelectorTerms", "[{tags: {karpenter.sh/discovery: test-cluster}}]");
        fields.put(
                "securityGroupSelectorTerms", "[{tags: {karpenter.sh/discovery: test-cluster}}]");
        fields.put("role", "test-role");
        fields.put(
                "metadataOptions",
                "{httpEndpoint: enabled, httpProtocolIPv6: disabled,"
                        + " httpPutResponseHopLimit: 1, httpTokens: required}");
        for (var index = 0; index < fieldsAndValues.length; index += 2) {
            fields.put(fieldsAndValues[index], fieldsAndValues[index + 1]);
        }
        var spec = new StringBuilder();
        fields.forEach(
                (field, value) -> {
                    if (!value.isEmpty()) {
                        spec.append("  %s: %s\n".formatted(field, value));
                    }
                });
        rig.apply(
                """
                apiVersion: karpenter.k8s.aws/v1
                kind: EC2NodeClass
                metadata:
                  name: %s
                  uid: %s-uid
                  creationTimestamp: "2026-01-01T12:00:00Z"
                spec:
                """
                                .formatted(name, name)
                        + spec);
        rig.run(controller("nodeclass.hash"), name);
        rig.run(controller("nodeclass"), name); // The first look only puts the finalizer on.
        return look(name);
    }

    CloudRig nodeClass() {
        return nodeClass("default");
    }

    CloudRig look(String name) {
        rig.run(controller("nodeclass"), name);
        endpoint.forgetCalls();
        return this;
    }

    /// Changes a class as a user would; its controllers have not looked at it yet.
    CloudRig change(String name, String field, String value) {
        return patch(name, ApiWrite.Subresource.NONE, Tree.of("spec", field(field, value)));
    }

    CloudRig changeStatus(String name, String field, String value) {
        return patch(name, ApiWrite.Subresource.STATUS, Tree.of("status", field(field, value)));
    }

    CloudRig annotate(String name, String key, @Nullable String value) {
        var annotations = Tree.of();
        var filled = value == null ? annotations.putNothing(key) : annotations.put(key, value);
        return patch(
                name,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", Tree.of("annotations", filled)));
    }

    private static Tree field(String field, String value) {
        return value.isEmpty()
                ? Tree.of().putNothing(field)
                : Tree.of()
                        .put(field, DocumentReader.readAll(Source.text("value", value)).getFirst());
    }

    private CloudRig patch(String name, ApiWrite.Subresource subresource, Tree body) {
        var answer =
                rig.api()
                        .write(
                                new ApiWrite.Patch(
                                        Ec2NodeClass.TYPE,
                                        new ObjectName("", name),
                                        ApiWrite.PatchKind.MERGE,
                                        subresource,
                                        body.mapping()));
        if (!answer.isDone()) {
            throw new IllegalStateException(answer.explain());
        }
        return this;
    }

    CloudRig delete(String name) {
        rig.api()
                .write(
                        new ApiWrite.Delete(
                                Ec2NodeClass.TYPE, new ObjectName("", name), null, null));
        return this;
    }

    CloudRig pool(String name, String nodeClass) {
        rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: %s, uid: %s-uid}
                spec:
                  template:
                    spec:
                      requirements: []
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: %s}
                """
                        .formatted(name, name, nodeClass));
        return this;
    }

    /// The loops that a shadow has.
    List<Controller> readers() {
        return provider.readers();
    }

    Controller controller(String name) {
        return controllers.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no controller " + name));
    }

    /// A claim for a small machine of the class `default`.
    static MachineClaimBuilder claim(String name) {
        return MachineClaimBuilder.machineClaim(name)
                .nodeClass(classNamed("default"))
                .request("cpu", "500m")
                .request("memory", "100Mi")
                .request("pods", "3");
    }

    static NodeClassRef classNamed(String name) {
        return new NodeClassRef(Ec2NodeClass.KIND.group(), Ec2NodeClass.KIND.kind(), name);
    }

    LaunchAnswer launch(MachineClaimBuilder claim) {
        return cloud().launch(claim.build());
    }

    Machine launched(MachineClaimBuilder claim) {
        return machine(launch(claim));
    }

    static Machine machine(LaunchAnswer answer) {
        if (answer instanceof LaunchAnswer.Launched(var machine)) {
            return machine;
        }
        throw new AssertionError("wanted a machine, found " + answer);
    }

    /// The answers in the order of the calls, whose questions to EC2 are all there before any of
    /// them is asked.
    <A> List<A> together(List<Supplier<A>> calls) {
        gate.hold();
        var answers = new ArrayList<CompletableFuture<A>>();
        var callers = new ArrayList<Thread>();
        for (var call : calls) {
            var answer = new CompletableFuture<A>();
            answers.add(answer);
            callers.add(Thread.ofPlatform().start(() -> complete(answer, call)));
        }
        while (callers.stream().anyMatch(each -> each.getState() != Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        gate.release();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static <A> void complete(CompletableFuture<A> answer, Supplier<A> call) {
        try {
            answer.complete(call.get());
        } catch (RuntimeException | Error failure) {
            answer.completeExceptionally(failure);
        }
    }

    /// Runs what it is given, unless that is held back.
    private static final class Gate implements Executor {

        private final Executor executor;
        private @Nullable List<Runnable> held;

        Gate(Executor executor) {
            this.executor = executor;
        }

        @Override
        public synchronized void execute(Runnable task) {
            if (held == null) {
                executor.execute(task);
            } else {
                held.add(task);
            }
        }

        synchronized void hold() {
            held = new ArrayList<>();
        }

        synchronized void release() {
            var tasks = held;
            held = null;
            if (tasks != null) {
                tasks.forEach(executor::execute);
            }
        }
    }

    /// The claim as it is once its machine is there.
    static MachineClaim settled(MachineClaimBuilder claim, Machine machine) {
        return claim.on(machine).build();
    }

    List<Value.Mapping> templates() {
        return endpoint.requests("CreateLaunchTemplate");
    }

    /// The only template that was made.
    Value.Mapping template() {
        var all = templates();
        if (all.size() != 1) {
            throw new AssertionError("wanted one template, found " + all.size());
        }
        return all.getFirst();
    }

    List<Value.Mapping> fleets() {
        return endpoint.requests("CreateFleet");
    }

    Value.Mapping fleet() {
        return fleets().getLast();
    }

    AwsCloud cloud() {
        return provider.asCloud();
    }

    Rig rig() {
        return rig;
    }

    void advance(Duration time) {
        rig.advance(time);
    }

    List<KubeEvent> events() {
        return List.copyOf(events);
    }

    RecordingLog log() {
        return log;
    }

    Measures meter() {
        return meter;
    }

    @Override
    public void close() {
        threads.close();
    }
}
