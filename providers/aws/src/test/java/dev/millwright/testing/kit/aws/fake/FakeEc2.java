package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Action;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.ImageInfo;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.InstanceStatusInfo;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.api.ReservationInfo;
import dev.millwright.providers.aws.api.SecurityGroupInfo;
import dev.millwright.providers.aws.api.SpotPrice;
import dev.millwright.providers.aws.api.SubnetInfo;
import dev.millwright.providers.aws.api.TemplateInfo;
import dev.millwright.providers.aws.api.TrialInstance;
import dev.millwright.providers.aws.api.TrialTarget;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// EC2 of a [FakeAccount]. Lists are asked for in pages of the sizes that the SDK's adapter asks
/// for.
final class FakeEc2 implements Ec2Api {

    private static final int TYPES_PAGE = 100;
    private static final int OFFERINGS_PAGE = 1_000;
    private static final int NETWORK_PAGE = 500;
    private static final int IMAGES_PAGE = 1_000;
    private static final int RESERVATIONS_PAGE = 1_000;
    private static final int TEMPLATES_PAGE = 200;
    private static final int INSTANCES_PAGE = 1_000;
    private static final int PRICES_PAGE = 2_000;

    private static final List<String> KUBERNETES = List.of("x86_64", "arm64");

    /// EC2 names Linux's spot prices twice: with a network of one's own, and before there were any.
    private static final int LINUX_PRODUCTS = 2;

    private final Supplier<FakeState> state;

    FakeEc2(Supplier<FakeState> state) {
        this.state = state;
    }

    private FakeState state() {
        return state.get();
    }

    private FakeCalls calls() {
        return state().calls();
    }

    @Override
    public List<InstanceTypeInfo> instanceTypes() throws AwsFault {
        var types =
                state().catalogue().infos().stream()
                        .filter(
                                type ->
                                        type.processor().architectures().stream()
                                                .anyMatch(KUBERNETES::contains))
                        .toList();
        return calls().pages("DescribeInstanceTypes", Tree.of(), TYPES_PAGE, () -> types);
    }

    @Override
    public SequencedMap<String, SortedSet<String>> zonesByType() throws AwsFault {
        record Offering(String type, String zone) {}
        var catalogue = state().catalogue();
        var offerings =
                catalogue.types().stream()
                        .flatMap(
                                type ->
                                        catalogue.zonesOf(type).stream()
                                                .map(zone -> new Offering(type, zone)))
                        .toList();
        var zones = new TreeMap<String, SortedSet<String>>();
        for (var offering :
                calls().pages(
                                "DescribeInstanceTypeOfferings",
                                Tree.of("LocationType", "availability-zone"),
                                OFFERINGS_PAGE,
                                () -> offerings)) {
            zones.computeIfAbsent(offering.type(), _ -> new TreeSet<>()).add(offering.zone());
        }
        return zones;
    }

    @Override
    public List<SubnetInfo> subnets(List<Filter> filters) throws AwsFault {
        return calls().pages(
                        "DescribeSubnets",
                        FakeRequests.described(filters),
                        NETWORK_PAGE,
                        () -> state().network().subnets(filters, state().instances().all()));
    }

    @Override
    public List<SecurityGroupInfo> securityGroups(List<Filter> filters) throws AwsFault {
        return calls().pages(
                        "DescribeSecurityGroups",
                        FakeRequests.described(filters),
                        NETWORK_PAGE,
                        () -> state().network().groups(filters));
    }

    @Override
    public List<ImageInfo> images(List<String> owners, List<Filter> filters) throws AwsFault {
        var request = FakeRequests.described(filters);
        if (!owners.isEmpty()) {
            request.putTextList("Owners", owners);
        }
        return calls().pages(
                        "DescribeImages",
                        request,
                        IMAGES_PAGE,
                        () -> state().images().select(owners, filters));
    }

    @Override
    public List<ReservationInfo> capacityReservations(List<String> ids, List<Filter> filters)
            throws AwsFault {
        var request =
                ids.isEmpty()
                        ? FakeRequests.described(filters)
                        : FakeRequests.texts("CapacityReservationIds", ids);
        return calls().pages(
                        "DescribeCapacityReservations",
                        request,
                        RESERVATIONS_PAGE,
                        () -> state().network().reservations(ids, filters));
    }

    @Override
    public List<PlacementGroupInfo> placementGroups(List<Filter> filters) throws AwsFault {
        return calls().ask(
                        "DescribePlacementGroups",
                        FakeRequests.described(filters),
                        () -> state().network().placementGroups(filters));
    }

    @Override
    public List<SpotPrice> spotPrices(Instant at) throws AwsFault {
        var catalogue = state().catalogue();
        var now = state().clock().instant();
        var prices = new ArrayList<SpotPrice>();
        for (var type : catalogue.types()) {
            for (var zone : catalogue.zonesOf(type)) {
                var price = catalogue.spot(type, zone);
                if (price != null) {
                    prices.add(new SpotPrice(type, zone, new BigDecimal(price), now));
                }
            }
        }
        var all =
                Collections.nCopies(LINUX_PRODUCTS, prices).stream().flatMap(List::stream).toList();
        return calls().pages(
                        "DescribeSpotPriceHistory",
                        Tree.of("StartTime", at.toString()),
                        PRICES_PAGE,
                        () -> all);
    }

    @Override
    public void createLaunchTemplate(LaunchTemplate template) throws AwsFault {
        calls().run(
                        "CreateLaunchTemplate",
                        FakeRequests.template(template),
                        () -> state().templates().create(template));
    }

    @Override
    public TemplateInfo launchTemplate(String name) throws AwsFault {
        return calls().ask(
                        "DescribeLaunchTemplates",
                        FakeRequests.texts("LaunchTemplateNames", List.of(name)),
                        () -> state().templates().info(name));
    }

    @Override
    public List<TemplateInfo> launchTemplates(List<Filter> filters) throws AwsFault {
        return calls().pages(
                        "DescribeLaunchTemplates",
                        FakeRequests.described(filters),
                        TEMPLATES_PAGE,
                        () -> state().templates().select(filters));
    }

    @Override
    public void deleteLaunchTemplate(String name) throws AwsFault {
        calls().run(
                        "DeleteLaunchTemplate",
                        Tree.of("LaunchTemplateName", name),
                        () -> state().templates().delete(name));
    }

    @Override
    public FleetAnswer createFleet(FleetRequest request) throws AwsFault {
        return calls().ask(
                        "CreateFleet",
                        FakeRequests.fleet(request),
                        () -> state().fleets().create(request));
    }

    @Override
    public void tryFleet(FleetRequest request) throws AwsFault {
        trial("CreateFleet", FakeRequests.fleet(request).put("DryRun", true));
    }

    @Override
    public void tryInstance(TrialInstance instance) throws AwsFault {
        var request = FakeRequests.trial(instance);
        calls().askOnce(
                        "RunInstances",
                        request,
                        () -> {
                            state().fleets().check(instance);
                            return true;
                        });
    }

    @Override
    public void tryInstanceTypes() throws AwsFault {
        trial("DescribeInstanceTypes", Tree.of().put("DryRun", true));
    }

    @Override
    public void tryAction(Ec2Action action, TrialTarget target) throws AwsFault {
        trial(action.text(), Tree.of().put("DryRun", true));
    }

    /// Nothing is looked at but the faults.
    private void trial(String action, Tree request) throws AwsFault {
        calls().askOnce(action, request, () -> true);
    }

    @Override
    public List<InstanceInfo> instances(List<String> ids, List<Filter> filters) throws AwsFault {
        var request =
                ids.isEmpty()
                        ? FakeRequests.described(filters)
                        : FakeRequests.texts("InstanceIds", ids);
        return calls().pages(
                        "DescribeInstances",
                        request,
                        INSTANCES_PAGE,
                        () -> state().instances().select(ids, filters));
    }

    @Override
    public SequencedMap<String, String> terminate(List<String> ids) throws AwsFault {
        return calls().ask(
                        "TerminateInstances",
                        FakeRequests.texts("InstanceIds", ids),
                        () -> state().fleets().terminate(ids));
    }

    @Override
    public void reboot(List<String> ids) throws AwsFault {
        calls().ask(
                        "RebootInstances",
                        FakeRequests.texts("InstanceIds", ids),
                        () -> state().instances().find(ids));
    }

    @Override
    public void tag(List<String> ids, SequencedMap<String, String> tags) throws AwsFault {
        calls().run(
                        "CreateTags",
                        FakeRequests.tagging(ids, tags),
                        () -> state().instances().find(ids).forEach(each -> each.tag(tags)));
    }

    @Override
    public List<InstanceStatusInfo> statuses(List<Filter> filters) throws AwsFault {
        return calls().pages(
                        "DescribeInstanceStatus",
                        FakeRequests.described(filters),
                        INSTANCES_PAGE,
                        () -> state().instances().statuses(filters));
    }
}
