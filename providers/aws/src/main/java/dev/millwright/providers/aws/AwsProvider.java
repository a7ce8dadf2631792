package dev.millwright.providers.aws;

import dev.millwright.controllers.metrics.ConditionFamilies;
import dev.millwright.controllers.settings.FeatureGates;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.status.StatusController;
import dev.millwright.controllers.status.StatusKind;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.providers.aws.api.AwsApis;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.controllers.capacityreservation.CapacityTypeController;
import dev.millwright.providers.aws.controllers.capacityreservation.ExpirationController;
import dev.millwright.providers.aws.controllers.instanceprofile.garbagecollection.ProfileGarbageController;
import dev.millwright.providers.aws.controllers.launchtemplate.TemplateSweepController;
import dev.millwright.providers.aws.controllers.nodeclass.Finalization;
import dev.millwright.providers.aws.controllers.nodeclass.NodeClassController;
import dev.millwright.providers.aws.controllers.nodeclass.Selection;
import dev.millwright.providers.aws.controllers.nodeclass.Trial;
import dev.millwright.providers.aws.controllers.nodeclass.Validation;
import dev.millwright.providers.aws.controllers.nodeclass.hash.ClassHashController;
import dev.millwright.providers.aws.controllers.providers.SsmInvalidationController;
import dev.millwright.providers.aws.controllers.providers.VersionController;
import dev.millwright.providers.aws.controllers.tagging.TaggingController;
import dev.millwright.providers.aws.controllers.zonalshift.ZonalShiftController;
import dev.millwright.providers.aws.image.ClusterVersion;
import dev.millwright.providers.aws.image.Images;
import dev.millwright.providers.aws.instancetype.DiscoveredMemory;
import dev.millwright.providers.aws.instancetype.KnownTypes;
import dev.millwright.providers.aws.instancetype.MemoryDiscoveryController;
import dev.millwright.providers.aws.instancetype.TypeFamilies;
import dev.millwright.providers.aws.instancetype.TypeRefreshController;
import dev.millwright.providers.aws.instancetype.TypeSettings;
import dev.millwright.providers.aws.instancetype.TypeTables;
import dev.millwright.providers.aws.interruption.Departures;
import dev.millwright.providers.aws.interruption.InstanceStatusController;
import dev.millwright.providers.aws.interruption.InterruptionFamilies;
import dev.millwright.providers.aws.interruption.QueueController;
import dev.millwright.providers.aws.interruption.Rebalances;
import dev.millwright.providers.aws.launch.ClusterFacts;
import dev.millwright.providers.aws.launch.Fleets;
import dev.millwright.providers.aws.launch.Instances;
import dev.millwright.providers.aws.launch.LaunchFamilies;
import dev.millwright.providers.aws.launch.LaunchTemplates;
import dev.millwright.providers.aws.launch.LaunchTrials;
import dev.millwright.providers.aws.launch.Launcher;
import dev.millwright.providers.aws.launch.Machines;
import dev.millwright.providers.aws.launch.NodeWords;
import dev.millwright.providers.aws.launch.Shortages;
import dev.millwright.providers.aws.launch.TemplateMaker;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.network.SecurityGroups;
import dev.millwright.providers.aws.network.ServiceCidr;
import dev.millwright.providers.aws.network.Subnets;
import dev.millwright.providers.aws.network.ZonalShifts;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.offering.LiveNews;
import dev.millwright.providers.aws.offering.OfferingMetricsController;
import dev.millwright.providers.aws.offering.Overlays;
import dev.millwright.providers.aws.offering.SpotMemory;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.providers.aws.pricing.PriceBook;
import dev.millwright.providers.aws.pricing.PriceRefreshController;
import dev.millwright.providers.aws.profile.InstanceProfiles;
import dev.millwright.providers.aws.sdk.CallMetrics;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Controller;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The parts of the provider, put together for one cluster by plain constructors.
public final class AwsProvider {

    /// What of the process the provider needs.
    ///
    /// @param events hears what users should know about claims and pools
    /// @param log hears what is worth a word and concerns no object
    /// @param executor runs calls to AWS, never in the caller's thread
    /// @param chance names new instance profiles
    public record Surroundings(
            View view,
            Kind<NodeClassObject> classKind,
            Consumer<KubeEvent> events,
            Meter meter,
            Log log,
            Executor executor,
            InstantSource clock,
            Supplier<UUID> chance) {}

    private final AwsApis apis;
    private final Settings settings;
    private final ClusterFacts cluster;
    private final Surroundings outside;
    private final boolean isReservedCapacityOn;

    // What EC2 sells.
    private final KnownTypes knownTypes = new KnownTypes(TypeTables.load());
    private final DiscoveredMemory memory = new DiscoveredMemory();
    private final UnavailableOfferings unavailable = new UnavailableOfferings();
    private final PriceBook prices;
    private final TypeSettings typeSettings;
    private final TypeCatalogue catalogue;

    // Where machines go, and what from.
    private final Subnets subnets;
    private final CapacityReservations reservations;
    private final PlacementGroups placementGroups;
    private final ZonalShifts shifts;
    private final ServiceCidr serviceCidr;
    private final ClusterVersion version;
    private final Images images;
    private final InstanceProfiles profiles;

    // Machines.
    private final Instances instances;
    private final Machines machines;
    private final LaunchTemplates templates;
    private final LaunchNews news;
    private final Launcher launcher;
    private final Rebalances rebalances;
    private final SpotMemory spotMemory = new SpotMemory();
    private final AwsCloud cloud;

    /// @param cluster as it was found at the start; its service addresses may be learned later
    /// @param version of Kubernetes, known already
    /// @param clusterArn empty unless zonal shifts are heeded
    public AwsProvider(
            AwsApis apis,
            Settings settings,
            ClusterFacts cluster,
            ClusterVersion version,
            String clusterArn,
            Surroundings outside) {
        this.apis = apis;
        this.settings = settings;
        this.cluster = cluster;
        this.version = version;
        this.outside = outside;
        this.isReservedCapacityOn = settings.gates().isOn(FeatureGates.Gate.RESERVED_CAPACITY);
        var aws = settings.cloud().aws();
        var clock = outside.clock();
        prices = new PriceBook(new PriceBook.Market(cluster.region(), aws.isVpcIsolated()));
        subnets = new Subnets(apis.ec2(), clock, aws.subnetRefresh());
        shifts =
                aws.isZonalShiftHeeded()
                        ? new ZonalShifts(apis.zonalShift(), clusterArn, clock, subnets::zoneId)
                        : ZonalShifts.unheeded();
        reservations = new CapacityReservations(apis.ec2(), clock);
        placementGroups = new PlacementGroups(apis.ec2(), clock);
        serviceCidr = new ServiceCidr(apis.eks(), cluster.name());
        images = new Images(apis.ec2(), apis.ssm(), version, clock, aws.imageRefresh());
        profiles =
                new InstanceProfiles(
                        apis.iam(), cluster.name(), cluster.region(), clock, outside.chance());
        typeSettings =
                new TypeSettings(
                        cluster.region(),
                        aws.reservedInterfaces(),
                        aws.memoryOverhead(),
                        isReservedCapacityOn);
        catalogue =
                new TypeCatalogue(
                        typeSettings,
                        new TypeCatalogue.Sources(
                                knownTypes,
                                memory,
                                prices,
                                unavailable,
                                new LiveNews(shifts, reservations, outside.view())));
        machines = new Machines(isReservedCapacityOn);
        instances =
                new Instances(
                        apis.ec2(),
                        cluster.name(),
                        shifts::isShifted,
                        outside.executor(),
                        this::batched);
        templates = new LaunchTemplates(apis.ec2(), clock);
        news =
                new LaunchNews(
                        outside.view(),
                        outside.events(),
                        outside.meter(),
                        outside.log(),
                        claim -> spotMemory.refused(claim, clock.instant()));
        launcher = launcher(settings);
        rebalances =
                new Rebalances(
                        aws.isReplacingOnRebalance()
                                ? Rebalances.Policy.REPLACE
                                : Rebalances.Policy.EVENT);
        cloud = cloud();
    }

    private Launcher launcher(Settings settings) {
        return new Launcher(
                new TemplateMaker(cluster, isReservedCapacityOn),
                templates,
                new NodeWords(cluster, this::serviceCidr),
                new Fleets(apis.ec2(), outside.executor(), this::batched),
                subnets,
                new Shortages(unavailable, subnets, reservations),
                settings.policies().minValues(),
                news,
                outside.meter(),
                outside.clock());
    }

    private AwsCloud cloud() {
        var overlays = new Overlays(outside.view(), AwsCloud.fixedTraits().vocabulary());
        return new AwsCloud(
                new AwsCloud.Parts(
                        cluster.name(),
                        launcher,
                        instances,
                        machines,
                        catalogue,
                        placementGroups,
                        reservations,
                        subnets,
                        overlays,
                        new DriftCheck(
                                instances,
                                machines,
                                catalogue,
                                placementGroups,
                                rebalances,
                                outside.clock()),
                        new SpotCheck(
                                outside.view(),
                                catalogue,
                                overlays,
                                placementGroups,
                                spotMemory,
                                outside.clock())),
                outside.view(),
                outside.events(),
                outside.meter(),
                outside.clock());
    }

    /// Asked for when it is first needed: a launch may come before the class was looked at.
    private @Nullable String serviceCidr() {
        try {
            return serviceCidr.ask();
        } catch (AwsFault _) {
            return null; // Who needs it says that it is not known.
        }
    }

    private void batched(String batcher, int questions, Duration open) {
        outside.meter().observe(LaunchFamilies.BATCH_TIME, open.toNanos() / 1e9, List.of(batcher));
        outside.meter().observe(LaunchFamilies.BATCH_SIZE, questions, List.of(batcher));
    }

    public AwsCloud asCloud() {
        return cloud;
    }

    /// What EC2 sells, to be asked for once before anything is planned.
    public KnownTypes knownTypes() {
        return knownTypes;
    }

    /// The families its loops and calls are measured by.
    public static List<MetricFamily> families() {
        var families = new ArrayList<>(LaunchFamilies.all());
        families.addAll(InterruptionFamilies.all());
        families.addAll(TypeFamilies.ALL);
        families.addAll(CallMetrics.families());
        families.addAll(ConditionFamilies.of(Ec2NodeClass.KIND.kind(), List.of()).all());
        return families;
    }

    /// The loops that only this provider has.
    public List<Controller> controllers() {
        var aws = settings.cloud().aws();
        var kind = outside.classKind();
        var departures = new Departures(unavailable, reservations, rebalances);
        var all = new ArrayList<Controller>();
        all.add(nodeClasses());
        all.add(new ClassHashController(kind, cluster.certificateAuthority()));
        if (settings.isObservingClusterState()) {
            all.add(new StatusController<>(StatusKind.classes(kind)));
        }
        all.add(new VersionController(version));
        all.add(new TypeRefreshController(apis.ec2(), knownTypes));
        all.add(new MemoryDiscoveryController(knownTypes, memory, typeSettings));
        all.add(new PriceRefreshController(apis.ec2(), apis.pricing(), prices));
        all.add(new OfferingMetricsController(cloud::catalog, isReservedCapacityOn));
        all.add(new SsmInvalidationController(images));
        all.add(new TemplateSweepController(templates, cluster.name()));
        all.add(new TaggingController(instances, cluster.name()));
        all.add(new InstanceStatusController(apis.ec2(), departures));
        if (!aws.isVpcIsolated()) {
            all.add(new ProfileGarbageController(kind, profiles));
        }
        if (aws.isZonalShiftHeeded()) {
            all.add(new ZonalShiftController(kind, shifts));
        }
        if (isReservedCapacityOn) {
            all.add(new CapacityTypeController());
            all.add(new ExpirationController(kind));
        }
        if (!aws.interruptionQueue().isEmpty()) {
            all.add(
                    new QueueController(
                            apis.sqs(),
                            aws.interruptionQueue(),
                            cluster.region(),
                            departures,
                            outside.clock()));
        }
        return List.copyOf(all);
    }

    /// Of those loops, the ones that keep what is for sale and its prices fresh and change nothing,
    /// neither at AWS nor in the cluster. Reading the interruption queue is not among them: a
    /// message that is read is gone for the controller it was meant for.
    public List<Controller> readers() {
        return List.of(
                new VersionController(version),
                new TypeRefreshController(apis.ec2(), knownTypes),
                new MemoryDiscoveryController(knownTypes, memory, typeSettings),
                new PriceRefreshController(apis.ec2(), apis.pricing(), prices));
    }

    private Controller nodeClasses() {
        var aws = settings.cloud().aws();
        var trial =
                aws.isDryRunDisabled()
                        ? null
                        : new Trial(
                                apis.ec2(),
                                new LaunchTrials(
                                        launcher,
                                        catalogue,
                                        placementGroups,
                                        cluster.name(),
                                        outside.clock()));
        return new NodeClassController(
                outside.classKind(),
                new Selection(
                        images,
                        reservations,
                        placementGroups,
                        subnets,
                        new SecurityGroups(apis.ec2(), outside.clock()),
                        isReservedCapacityOn),
                profiles,
                new Validation(serviceCidr, trial, outside.clock()),
                new Finalization(apis.ec2(), aws.isVpcIsolated() ? null : profiles, cluster.name()),
                news::forget);
    }
}
