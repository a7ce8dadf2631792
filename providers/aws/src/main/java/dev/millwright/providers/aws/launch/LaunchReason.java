package dev.millwright.providers.aws.launch;

import java.util.List;
import java.util.Set;

/// What EC2's words mean: why a launch failed, by a name that conditions and metrics show.
///
/// @param reason e.g. `Unauthorized`, `InsufficientFreeAddressesInSubnet`
/// @param message for people
public record LaunchReason(String reason, String message) {

    private static final String LAUNCH_FAILED = "LaunchFailed";

    /// What is out now and may be there later: no fault of the request.
    private static final Set<String> UNFULFILLABLE =
            Set.of(
                    "InsufficientInstanceCapacity",
                    "MaxSpotInstanceCountExceeded",
                    "VcpuLimitExceeded",
                    "UnfulfillableCapacity",
                    "Unsupported",
                    "InsufficientFreeAddressesInSubnet",
                    "MaxFleetCountExceeded",
                    "ReservationCapacityExceeded");

    static final String SERVICE_LINKED_ROLE = "AuthFailure.ServiceLinkedRoleCreationNotPermitted";

    static final String SUBNET_FULL = "InsufficientFreeAddressesInSubnet";

    /// Comes as a lack of capacity, yet no capacity is lacking but a place in the group.
    private static final String SPREAD_LIMIT = "limit of instances in this spread placement group";

    private record Rule(String text, String reason) {}

    /// After those about permissions; the first hit wins.
    private static final List<Rule> RULES =
            List.of(
                    new Rule("iamInstanceProfile.name is invalid", "InstanceProfileNameInvalid"),
                    new Rule("InvalidLaunchTemplateId.NotFound", "LaunchTemplateNotFound"),
                    new Rule("User data is limited to", "UserDataSizeLimitExceeded"),
                    new Rule("InvalidAMIID.Malformed", "InvalidAMIID"),
                    new Rule("InvalidAMIID.NotFound", "AMINotFound"),
                    new Rule("RequestLimitExceeded", "RequestLimitExceeded"),
                    new Rule("InternalError", "InternalError"),
                    new Rule("not eligible for Free Tier", "FreeTierIneligible"),
                    new Rule("MaxFleetCountExceeded", "FleetQuotaExceeded"),
                    new Rule("PendingVerification", "AccountPendingVerification"),
                    new Rule("MaxSpotInstanceCountExceeded", "SpotQuotaExceeded"),
                    new Rule("VcpuLimitExceeded", "VCPULimitExceeded"),
                    new Rule(SUBNET_FULL, "InsufficientFreeAddressesInSubnet"));

    static boolean isUnfulfillable(String code) {
        return UNFULFILLABLE.contains(code);
    }

    static boolean isSpreadLimit(String message) {
        return message.contains(SPREAD_LIMIT);
    }

    /// @param text `code: message`
    public static LaunchReason of(String text) {
        if (text.contains(SERVICE_LINKED_ROLE)) {
            return new LaunchReason(
                    "SpotSLRCreationFailed",
                    "the service-linked role for spot is missing and may not be created by us;"
                            + " create it once with: aws iam create-service-linked-role"
                            + " --aws-service-name spot.amazonaws.com");
        }
        if (text.contains("UnauthorizedOperation")
                || text.contains("AccessDenied")
                || text.contains("AuthFailure")) {
            return unauthorized(text);
        }
        if (text.contains("InvalidParameter") && text.contains("belong to different networks")) {
            return new LaunchReason(
                    "SecurityGroupSubnetVPCMismatch",
                    "security groups and subnets are in different VPCs; select those of one");
        }
        for (var rule : RULES) {
            if (text.contains(rule.text())) {
                return new LaunchReason(rule.reason(), text);
            }
        }
        return new LaunchReason(LAUNCH_FAILED, text);
    }

    private static LaunchReason unauthorized(String text) {
        if (text.contains("with an explicit deny in a permissions boundary")) {
            return new LaunchReason(
                    "Unauthorized",
                    "a permissions boundary of the controller's role denies the call");
        }
        if (text.contains("with an explicit deny in a service control policy")) {
            return new LaunchReason(
                    "Unauthorized", "a service control policy of the organization denies the call");
        }
        if (text.contains("Not authorized for images")) {
            return new LaunchReason(
                    "AMIAuthorizationFailure",
                    "the account may not use the image; share it, or select another");
        }
        return new LaunchReason(
                "Unauthorized",
                "no identity-based policy of the controller's role allows the call");
    }
}
