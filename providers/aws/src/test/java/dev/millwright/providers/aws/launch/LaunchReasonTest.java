package dev.millwright.providers.aws.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LaunchReasonTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AuthFailure.ServiceLinkedRoleCreationNotPermitted: no | SpotSLRCreationFailed",
                "UnauthorizedOperation: with an explicit deny in a permissions boundary | Unauthorized",
                "AccessDenied: with an explicit deny in a service control policy | Unauthorized",
                "AuthFailure: Not authorized for images: [ami-1] | AMIAuthorizationFailure",
                "UnauthorizedOperation: no | Unauthorized",
                "InvalidParameter: sg-1 and subnet-1 belong to different networks | SecurityGroupSubnetVPCMismatch",
                "InvalidParameterValue: Value for iamInstanceProfile.name is invalid | InstanceProfileNameInvalid",
                "InvalidLaunchTemplateId.NotFound: no | LaunchTemplateNotFound",
                "InvalidUserData.Malformed: User data is limited to 16384 bytes | UserDataSizeLimitExceeded",
                "InvalidAMIID.Malformed: no | InvalidAMIID",
                "InvalidAMIID.NotFound: no | AMINotFound",
                "RequestLimitExceeded: no | RequestLimitExceeded",
                "InternalError: no | InternalError",
                "InvalidParameterCombination: not eligible for Free Tier | FreeTierIneligible",
                "MaxFleetCountExceeded: no | FleetQuotaExceeded",
                "PendingVerification: no | AccountPendingVerification",
                "MaxSpotInstanceCountExceeded: no | SpotQuotaExceeded",
                "VcpuLimitExceeded: no | VCPULimitExceeded",
                "InsufficientFreeAddressesInSubnet: no | InsufficientFreeAddressesInSubnet",
                "InvalidLaunchTemplateName.NotFoundException: no | LaunchFailed",
                "Odd: no | LaunchFailed",
            })
    void whatEc2SaysHasAReason(String text, String reason) {
        assertThat(LaunchReason.of(text).reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "InsufficientInstanceCapacity, true",
        "MaxSpotInstanceCountExceeded, true",
        "VcpuLimitExceeded, true",
        "UnfulfillableCapacity, true",
        "Unsupported, true",
        "InsufficientFreeAddressesInSubnet, true",
        "MaxFleetCountExceeded, true",
        "ReservationCapacityExceeded, true",
        "RequestLimitExceeded, false",
        "InternalError, false",
    })
    void someRefusalsMeanThatThereIsNothing(String code, boolean isUnfulfillable) {
        assertThat(LaunchReason.isUnfulfillable(code)).isEqualTo(isUnfulfillable);
    }
}
