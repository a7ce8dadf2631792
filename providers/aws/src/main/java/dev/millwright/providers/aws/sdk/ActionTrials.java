package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Action;
import dev.millwright.providers.aws.api.TrialTarget;

import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.DefaultTargetCapacityType;
import software.amazon.awssdk.services.ec2.model.Ec2Response;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateConfigRequest;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateOverridesRequest;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateSpecificationRequest;
import software.amazon.awssdk.services.ec2.model.FleetType;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Actions asked for with a word that they be not done.
final class ActionTrials {

    private static final String TYPE = "m5.large";
    private static final String LATEST = "$Latest";

    private final Ec2Client client;

    ActionTrials(Ec2Client client) {
        this.client = client;
    }

    void run(Ec2Action action, TrialTarget target) throws AwsFault {
        Translation.tryOut(action.isRead() ? reading(action) : changing(action, target));
    }

    private Supplier<Ec2Response> reading(Ec2Action action) {
        return switch (action) {
            case DESCRIBE_CAPACITY_RESERVATIONS ->
                    () -> client.describeCapacityReservations(r -> r.dryRun(true));
            case DESCRIBE_IMAGES -> () -> client.describeImages(r -> r.dryRun(true));
            case DESCRIBE_INSTANCES -> () -> client.describeInstances(r -> r.dryRun(true));
            case DESCRIBE_INSTANCE_STATUS ->
                    () -> client.describeInstanceStatus(r -> r.dryRun(true));
            case DESCRIBE_INSTANCE_TYPE_OFFERINGS ->
                    () -> client.describeInstanceTypeOfferings(r -> r.dryRun(true));
            case DESCRIBE_INSTANCE_TYPES -> () -> client.describeInstanceTypes(r -> r.dryRun(true));
            case DESCRIBE_LAUNCH_TEMPLATES ->
                    () -> client.describeLaunchTemplates(r -> r.dryRun(true));
            case DESCRIBE_PLACEMENT_GROUPS ->
                    () -> client.describePlacementGroups(r -> r.dryRun(true));
            case DESCRIBE_SECURITY_GROUPS ->
                    () -> client.describeSecurityGroups(r -> r.dryRun(true));
            case DESCRIBE_SPOT_PRICE_HISTORY ->
                    () -> client.describeSpotPriceHistory(r -> r.dryRun(true));
            case DESCRIBE_SUBNETS -> () -> client.describeSubnets(r -> r.dryRun(true));
            default -> throw new IllegalArgumentException(action + " does not read");
        };
    }

    private Supplier<Ec2Response> changing(Ec2Action action, TrialTarget target) {
        var name = tag("Name", target.instanceId());
        return switch (action) {
            case CREATE_LAUNCH_TEMPLATE -> () -> template(target);
            case RUN_INSTANCES -> () -> instance(target);
            case CREATE_FLEET -> () -> fleet(target);
            case CREATE_TAGS ->
                    () ->
                            client.createTags(
                                    r -> r.dryRun(true).resources(target.instanceId()).tags(name));
            case TERMINATE_INSTANCES ->
                    () ->
                            client.terminateInstances(
                                    r -> r.dryRun(true).instanceIds(target.instanceId()));
            case DELETE_LAUNCH_TEMPLATE ->
                    () ->
                            client.deleteLaunchTemplate(
                                    r -> r.dryRun(true).launchTemplateName(target.templateName()));
            default -> throw new IllegalArgumentException(action + " changes nothing");
        };
    }

    private Ec2Response template(TrialTarget target) {
        var tags = tagged(target, ResourceType.LAUNCH_TEMPLATE);
        return client.createLaunchTemplate(
                r ->
                        r.dryRun(true)
                                .launchTemplateName("millwright-doctor")
                                .launchTemplateData(d -> d.imageId(target.imageId()))
                                .tagSpecifications(tags));
    }

    private Ec2Response instance(TrialTarget target) {
        var tags =
                tagged(
                        target,
                        ResourceType.INSTANCE,
                        ResourceType.VOLUME,
                        ResourceType.NETWORK_INTERFACE);
        return client.runInstances(
                r ->
                        r.dryRun(true)
                                .minCount(1)
                                .maxCount(1)
                                .instanceType(TYPE)
                                .imageId(target.imageId())
                                .subnetId(target.subnetId())
                                .tagSpecifications(tags));
    }

    private Ec2Response fleet(TrialTarget target) {
        var override =
                FleetLaunchTemplateOverridesRequest.builder()
                        .instanceType(TYPE)
                        .subnetId(target.subnetId())
                        .build();
        var template =
                FleetLaunchTemplateSpecificationRequest.builder()
                        .launchTemplateName(target.templateName())
                        .version(LATEST)
                        .build();
        var config =
                FleetLaunchTemplateConfigRequest.builder()
                        .launchTemplateSpecification(template)
                        .overrides(override)
                        .build();
        var tags = tagged(target, ResourceType.FLEET, ResourceType.INSTANCE, ResourceType.VOLUME);
        return client.createFleet(
                r ->
                        r.dryRun(true)
                                .type(FleetType.INSTANT)
                                .launchTemplateConfigs(config)
                                .targetCapacitySpecification(
                                        t ->
                                                t.totalTargetCapacity(1)
                                                        .defaultTargetCapacityType(
                                                                DefaultTargetCapacityType
                                                                        .ON_DEMAND))
                                .tagSpecifications(tags));
    }

    private static List<TagSpecification> tagged(TrialTarget target, ResourceType... types) {
        var tags =
                target.tags().entrySet().stream()
                        .map(entry -> tag(entry.getKey(), entry.getValue()))
                        .toList();
        return Stream.of(types)
                .map(type -> TagSpecification.builder().resourceType(type).tags(tags).build())
                .toList();
    }

    private static Tag tag(String key, String value) {
        return Tag.builder().key(key).value(value).build();
    }
}
