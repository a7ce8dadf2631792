package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.FleetAnswer.Choice;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.services.ec2.model.CreateFleetError;
import software.amazon.awssdk.services.ec2.model.CreateFleetInstance;
import software.amazon.awssdk.services.ec2.model.CreateFleetResponse;
import software.amazon.awssdk.services.ec2.model.FleetLaunchTemplateOverrides;
import software.amazon.awssdk.services.ec2.model.LaunchTemplateAndOverridesResponse;

/// What came of a fleet, as EC2 tells it.
final class FleetReading {

    private static final LaunchTemplateAndOverridesResponse UNTOLD =
            LaunchTemplateAndOverridesResponse.builder().build();
    private static final FleetLaunchTemplateOverrides NONE =
            FleetLaunchTemplateOverrides.builder().build();

    private FleetReading() {}

    static FleetAnswer answer(CreateFleetResponse found) {
        return new FleetAnswer(
                Absent.text(found.fleetId()),
                found.instances().stream().map(FleetReading::launched).toList(),
                found.errors().stream().map(FleetReading::refusal).toList());
    }

    private static FleetAnswer.Launched launched(CreateFleetInstance found) {
        return new FleetAnswer.Launched(
                found.instanceIds(),
                choice(
                        found.launchTemplateAndOverrides(),
                        found.instanceTypeAsString(),
                        found.lifecycleAsString()));
    }

    private static FleetAnswer.Refusal refusal(CreateFleetError found) {
        return new FleetAnswer.Refusal(
                Absent.text(found.errorCode()),
                Absent.text(found.errorMessage()),
                choice(found.launchTemplateAndOverrides(), null, found.lifecycleAsString()));
    }

    private static Choice choice(
            @Nullable LaunchTemplateAndOverridesResponse told,
            @Nullable String type,
            @Nullable String lifecycle) {
        var both = told == null ? UNTOLD : told;
        var template = both.launchTemplateSpecification();
        var override = both.overrides() == null ? NONE : both.overrides();
        return new Choice(
                template == null ? "" : Absent.text(template.launchTemplateName()),
                Absent.text(type == null ? override.instanceTypeAsString() : type),
                Absent.text(override.subnetId()),
                Absent.text(override.imageId()),
                Absent.text(override.availabilityZone()),
                Absent.text(lifecycle));
    }
}
