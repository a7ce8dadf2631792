package dev.millwright.cli;

import dev.millwright.cli.market.LiveMarket;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.providers.aws.AwsProvider;
import dev.millwright.providers.aws.api.AwsApis;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.image.ClusterVersion;
import dev.millwright.providers.aws.launch.ClusterFacts;
import dev.millwright.providers.aws.sdk.CallMetrics;
import dev.millwright.providers.aws.sdk.RegionFinder;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.providers.aws.sdk.SdkSettings;
import dev.millwright.providers.aws.start.StartUp;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.metrics.Metrics;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// Puts the provider for AWS together for an operator.
final class AwsWiring {

    private static final ObjectName DNS = new ObjectName("kube-system", "kube-dns");

    private final Settings settings;
    private final Metrics metrics;
    private final Log log;
    private final InstantSource clock;
    private final Executor executor = Executors.newVirtualThreadPerTaskExecutor();

    AwsWiring(Settings settings, Metrics metrics, Log log, InstantSource clock) {
        this.settings = settings;
        this.metrics = metrics;
        this.log = log;
        this.clock = clock;
    }

    /// AWS for one question about its prices, by the credentials of the environment. The price list
    /// has endpoints of its own, which the client finds.
    static LiveMarket.Asked market(String region) {
        var clients = new SdkClients(SdkSettings.of(region, RootCommand.Version.text()), _ -> {});
        var apis = clients.apis();
        return new LiveMarket.Asked(apis.ec2(), apis.pricing(), clients::close);
    }

    /// The clients live as long as the process.
    Autoscaler.Opened open(HttpKubeApi api, View view, Consumer<KubeEvent> events)
            throws IOException {
        var region = RegionFinder.find();
        if (region == null) {
            throw new IOException(
                    "the region is not known: set AWS_REGION, or run where the metadata service answers");
        }
        var clients =
                new SdkClients(
                        SdkSettings.of(region, RootCommand.Version.text()),
                        new CallMetrics(metrics));
        var apis = clients.apis();
        var provider = provider(apis, region, api, view, events);
        var faults = provider.knownTypes().refresh(apis.ec2());
        if (!faults.isEmpty()) {
            throw new IOException("EC2 does not say what it sells: " + String.join("; ", faults));
        }
        return new Autoscaler.Opened(
                provider.asCloud(),
                settings.shadow().isOn() ? provider.readers() : provider.controllers());
    }

    private AwsProvider provider(
            AwsApis apis, String region, HttpKubeApi api, View view, Consumer<KubeEvent> events)
            throws IOException {
        var aws = settings.cloud().aws();
        var found =
                new StartUp(apis.ec2(), apis.eks(), apis.zonalShift())
                        .explore(
                                new StartUp.Wanted(
                                        aws.clusterName(),
                                        aws.clusterEndpoint(),
                                        aws.clusterCaBundle(),
                                        api.certificateAuthority(),
                                        aws.isZonalShiftHeeded()));
        return switch (found) {
            case StartUp.Found.Blocked(var why) -> throw new IOException(why);
            case StartUp.Found.Ready(var surroundings) ->
                    new AwsProvider(
                            apis,
                            settings,
                            new ClusterFacts(
                                    aws.clusterName(),
                                    region,
                                    surroundings.clusterEndpoint(),
                                    surroundings.certificateAuthority(),
                                    dnsAddress(api)),
                            version(apis, api),
                            surroundings.clusterArn(),
                            new AwsProvider.Surroundings(
                                    view,
                                    view.classKinds().getFirst(),
                                    events,
                                    metrics,
                                    log,
                                    executor,
                                    clock,
                                    UUID::randomUUID));
        };
    }

    private ClusterVersion version(AwsApis apis, HttpKubeApi api) throws IOException {
        var aws = settings.cloud().aws();
        var version =
                new ClusterVersion(
                        aws.isEksControlPlane()
                                ? ClusterVersion.Source.eks(apis.eks(), aws.clusterName())
                                : ClusterVersion.Source.apiServer(api::version));
        try {
            var known = version.refresh();
            log.info("found the cluster", "kubernetes-version", known.toString());
            return version;
        } catch (AwsFault fault) {
            throw new IOException("the version of Kubernetes is not known: " + fault.text(), fault);
        }
    }

    /// A cluster may do without the service; its nodes then get no DNS from us.
    private @Nullable String dnsAddress(HttpKubeApi api) {
        if (api.read(ResourceType.SERVICE, DNS) instanceof ApiAnswer.Done(var object)
                && object.fields().get("spec") instanceof Value.Mapping spec) {
            var address = spec.text("clusterIP");
            if (address != null && !address.equals("None")) {
                return address;
            }
        }
        log.info("there is no service kube-system/kube-dns; nodes are not told a DNS address");
        return null;
    }
}
