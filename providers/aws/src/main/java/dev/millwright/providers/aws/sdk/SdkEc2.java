package dev.millwright.providers.aws.sdk;

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

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.DescribeCapacityReservationsRequest;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.InstanceTypeOffering;
import software.amazon.awssdk.services.ec2.model.LocationType;
import software.amazon.awssdk.services.ec2.model.Tag;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// EC2 by the SDK. How its values become ours, and ours its, stands in the `…Reading` and
/// `…Writing` classes.
final class SdkEc2 implements Ec2Api {

    private static final int TYPES_PAGE = 100;
    private static final int OFFERINGS_PAGE = 1_000;
    private static final int NETWORK_PAGE = 500;
    private static final int IMAGES_PAGE = 1_000;
    private static final int RESERVATIONS_PAGE = 1_000;
    private static final int TEMPLATES_PAGE = 200;
    private static final int INSTANCES_PAGE = 1_000;
    private static final int PRICES_PAGE = 2_000;

    private static final List<Filter> USABLE_TYPES =
            List.of(
                    Filter.of("supported-virtualization-type", "hvm"),
                    Filter.of("processor-info.supported-architecture", "x86_64", "arm64"));
    private static final List<String> LINUX = List.of("Linux/UNIX", "Linux/UNIX (Amazon VPC)");

    private final Ec2Client client;
    private final Ec2Client once;

    /// @param once does not try again: a dry run is asked for its first answer
    SdkEc2(Ec2Client client, Ec2Client once) {
        this.client = client;
        this.once = once;
    }

    @Override
    public List<InstanceTypeInfo> instanceTypes() throws AwsFault {
        var filters = written(USABLE_TYPES);
        return Pages.all(
                token ->
                        client.describeInstanceTypes(
                                r -> r.filters(filters).maxResults(TYPES_PAGE).nextToken(token)),
                answer -> answer.instanceTypes().stream().map(TypeReading::type).toList(),
                answer -> answer.nextToken());
    }

    @Override
    public SequencedMap<String, SortedSet<String>> zonesByType() throws AwsFault {
        List<InstanceTypeOffering> offerings =
                Pages.all(
                        token ->
                                client.describeInstanceTypeOfferings(
                                        r ->
                                                r.locationType(LocationType.AVAILABILITY_ZONE)
                                                        .maxResults(OFFERINGS_PAGE)
                                                        .nextToken(token)),
                        answer -> answer.instanceTypeOfferings(),
                        answer -> answer.nextToken());
        var zones = new TreeMap<String, SortedSet<String>>();
        for (var offering : offerings) {
            zones.computeIfAbsent(offering.instanceTypeAsString(), _ -> new TreeSet<>())
                    .add(offering.location());
        }
        return zones;
    }

    @Override
    public List<SubnetInfo> subnets(List<Filter> filters) throws AwsFault {
        var given = written(filters);
        return Pages.all(
                token ->
                        client.describeSubnets(
                                r -> r.filters(given).maxResults(NETWORK_PAGE).nextToken(token)),
                answer -> answer.subnets().stream().map(NetworkReading::subnet).toList(),
                answer -> answer.nextToken());
    }

    @Override
    public List<SecurityGroupInfo> securityGroups(List<Filter> filters) throws AwsFault {
        var given = written(filters);
        return Pages.all(
                token ->
                        client.describeSecurityGroups(
                                r -> r.filters(given).maxResults(NETWORK_PAGE).nextToken(token)),
                answer -> answer.securityGroups().stream().map(NetworkReading::group).toList(),
                answer -> answer.nextToken());
    }

    @Override
    public List<ImageInfo> images(List<String> owners, List<Filter> filters) throws AwsFault {
        var given = written(filters);
        return Pages.all(
                token ->
                        client.describeImages(
                                r ->
                                        r.owners(owners)
                                                .filters(given)
                                                .includeDeprecated(true)
                                                .maxResults(IMAGES_PAGE)
                                                .nextToken(token)),
                answer -> answer.images().stream().map(NetworkReading::image).toList(),
                answer -> answer.nextToken());
    }

    @Override
    public List<ReservationInfo> capacityReservations(List<String> ids, List<Filter> filters)
            throws AwsFault {
        return Pages.all(
                token -> client.describeCapacityReservations(reservations(ids, filters, token)),
                answer ->
                        answer.capacityReservations().stream()
                                .map(NetworkReading::reservation)
                                .toList(),
                answer -> answer.nextToken());
    }

    /// EC2 refuses a page's size beside ids.
    private static DescribeCapacityReservationsRequest reservations(
            List<String> ids, List<Filter> filters, @Nullable String token) {
        var request = DescribeCapacityReservationsRequest.builder().filters(written(filters));
        return ids.isEmpty()
                ? request.maxResults(RESERVATIONS_PAGE).nextToken(token).build()
                : request.capacityReservationIds(ids).build();
    }

    @Override
    public List<PlacementGroupInfo> placementGroups(List<Filter> filters) throws AwsFault {
        var given = written(filters);
        var answer = Translation.ask(() -> client.describePlacementGroups(r -> r.filters(given)));
        return answer.placementGroups().stream().map(NetworkReading::placementGroup).toList();
    }

    @Override
    public List<SpotPrice> spotPrices(Instant at) throws AwsFault {
        return Pages.all(
                token ->
                        client.describeSpotPriceHistory(
                                r ->
                                        r.startTime(at)
                                                .productDescriptions(LINUX)
                                                .maxResults(PRICES_PAGE)
                                                .nextToken(token)),
                answer -> answer.spotPriceHistory().stream().map(NetworkReading::price).toList(),
                answer -> answer.nextToken());
    }

    @Override
    public void createLaunchTemplate(LaunchTemplate template) throws AwsFault {
        var request = TemplateWriting.request(template);
        Translation.ask(() -> client.createLaunchTemplate(request));
    }

    @Override
    public TemplateInfo launchTemplate(String name) throws AwsFault {
        var answer =
                Translation.ask(
                        () -> client.describeLaunchTemplates(r -> r.launchTemplateNames(name)));
        if (answer.launchTemplates().isEmpty()) {
            throw AwsFault.refused(
                    "InvalidLaunchTemplateName.NotFoundException",
                    "found no launch template " + name);
        }
        return NetworkReading.template(answer.launchTemplates().getFirst());
    }

    @Override
    public List<TemplateInfo> launchTemplates(List<Filter> filters) throws AwsFault {
        var given = written(filters);
        return Pages.all(
                token ->
                        client.describeLaunchTemplates(
                                r -> r.filters(given).maxResults(TEMPLATES_PAGE).nextToken(token)),
                answer -> answer.launchTemplates().stream().map(NetworkReading::template).toList(),
                answer -> answer.nextToken());
    }

    @Override
    public void deleteLaunchTemplate(String name) throws AwsFault {
        Translation.ask(() -> client.deleteLaunchTemplate(r -> r.launchTemplateName(name)));
    }

    @Override
    public FleetAnswer createFleet(FleetRequest request) throws AwsFault {
        var written = FleetWriting.request(request).build();
        return FleetReading.answer(Translation.ask(() -> client.createFleet(written)));
    }

    @Override
    public void tryFleet(FleetRequest request) throws AwsFault {
        var written = FleetWriting.request(request).dryRun(true).build();
        Translation.tryOut(() -> once.createFleet(written));
    }

    @Override
    public void tryInstance(TrialInstance instance) throws AwsFault {
        var written = FleetWriting.trial(instance);
        Translation.tryOut(() -> once.runInstances(written));
    }

    @Override
    public void tryInstanceTypes() throws AwsFault {
        Translation.tryOut(() -> once.describeInstanceTypes(r -> r.dryRun(true)));
    }

    @Override
    public void tryAction(Ec2Action action, TrialTarget target) throws AwsFault {
        new ActionTrials(once).run(action, target);
    }

    @Override
    public List<InstanceInfo> instances(List<String> ids, List<Filter> filters) throws AwsFault {
        return Pages.all(
                token -> client.describeInstances(instances(ids, filters, token)),
                answer ->
                        answer.reservations().stream()
                                .flatMap(reservation -> reservation.instances().stream())
                                .map(InstanceReading::instance)
                                .toList(),
                answer -> answer.nextToken());
    }

    /// EC2 refuses a page's size beside ids.
    private static DescribeInstancesRequest instances(
            List<String> ids, List<Filter> filters, @Nullable String token) {
        var request = DescribeInstancesRequest.builder().filters(written(filters));
        return ids.isEmpty()
                ? request.maxResults(INSTANCES_PAGE).nextToken(token).build()
                : request.instanceIds(ids).nextToken(token).build();
    }

    @Override
    public SequencedMap<String, String> terminate(List<String> ids) throws AwsFault {
        var answer = Translation.ask(() -> client.terminateInstances(r -> r.instanceIds(ids)));
        var states = new LinkedHashMap<String, String>();
        for (var change : answer.terminatingInstances()) {
            var state = change.currentState();
            if (state != null) {
                states.put(change.instanceId(), Absent.text(state.nameAsString()));
            }
        }
        return states;
    }

    @Override
    public void reboot(List<String> ids) throws AwsFault {
        Translation.ask(() -> client.rebootInstances(r -> r.instanceIds(ids)));
    }

    @Override
    public void tag(List<String> ids, SequencedMap<String, String> tags) throws AwsFault {
        var given = tags(tags);
        Translation.ask(() -> client.createTags(r -> r.resources(ids).tags(given)));
    }

    @Override
    public List<InstanceStatusInfo> statuses(List<Filter> filters) throws AwsFault {
        var given = written(filters);
        return Pages.all(
                token ->
                        client.describeInstanceStatus(
                                r -> r.filters(given).maxResults(INSTANCES_PAGE).nextToken(token)),
                answer -> answer.instanceStatuses().stream().map(InstanceReading::status).toList(),
                answer -> answer.nextToken());
    }

    static List<Tag> tags(SequencedMap<String, String> tags) {
        return tags.entrySet().stream()
                .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
                .toList();
    }

    private static List<software.amazon.awssdk.services.ec2.model.Filter> written(
            List<Filter> filters) {
        return filters.stream()
                .map(
                        filter ->
                                software.amazon.awssdk.services.ec2.model.Filter.builder()
                                        .name(filter.name())
                                        .values(filter.values())
                                        .build())
                .toList();
    }
}
