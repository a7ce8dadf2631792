package dev.millwright.providers.aws.api;

import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;

/// What we ask of EC2. Lists are whole: all pages have been read. Each call may block and may come
/// from many threads.
public interface Ec2Api {

    /// All types with hardware virtualization and an architecture Kubernetes runs on.
    List<InstanceTypeInfo> instanceTypes() throws AwsFault;

    /// The zones in which each type is offered, by the type's name.
    SequencedMap<String, SortedSet<String>> zonesByType() throws AwsFault;

    List<SubnetInfo> subnets(List<Filter> filters) throws AwsFault;

    List<SecurityGroupInfo> securityGroups(List<Filter> filters) throws AwsFault;

    /// Available images, deprecated ones too. Without owners, those of anybody.
    List<ImageInfo> images(List<String> owners, List<Filter> filters) throws AwsFault;

    /// Either `ids` or `filters` is empty.
    List<ReservationInfo> capacityReservations(List<String> ids, List<Filter> filters)
            throws AwsFault;

    List<PlacementGroupInfo> placementGroups(List<Filter> filters) throws AwsFault;

    /// The spot prices of Linux at that moment.
    List<SpotPrice> spotPrices(Instant at) throws AwsFault;

    void createLaunchTemplate(LaunchTemplate template) throws AwsFault;

    /// @throws AwsFault `InvalidLaunchTemplateName.NotFoundException` when there is none
    TemplateInfo launchTemplate(String name) throws AwsFault;

    List<TemplateInfo> launchTemplates(List<Filter> filters) throws AwsFault;

    void deleteLaunchTemplate(String name) throws AwsFault;

    FleetAnswer createFleet(FleetRequest request) throws AwsFault;

    /// Whether the request would be let through. Returns when it would.
    void tryFleet(FleetRequest request) throws AwsFault;

    /// Whether an instance like this would be let through. Returns when it would.
    void tryInstance(TrialInstance instance) throws AwsFault;

    /// Whether we may ask EC2 at all. Returns when we may.
    void tryInstanceTypes() throws AwsFault;

    /// Whether the action would be let through. Returns when it would. A fault that is not about
    /// permission says that it was, and that the target is not there.
    void tryAction(Ec2Action action, TrialTarget target) throws AwsFault;

    /// Those of the ids, or where there are none all that pass the filters.
    List<InstanceInfo> instances(List<String> ids, List<Filter> filters) throws AwsFault;

    /// The states after the call by instance id, as far as EC2 tells them.
    SequencedMap<String, String> terminate(List<String> ids) throws AwsFault;

    void reboot(List<String> ids) throws AwsFault;

    void tag(List<String> ids, SequencedMap<String, String> tags) throws AwsFault;

    /// Of running instances.
    List<InstanceStatusInfo> statuses(List<Filter> filters) throws AwsFault;
}
