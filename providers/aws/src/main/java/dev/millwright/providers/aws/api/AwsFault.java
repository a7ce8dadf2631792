package dev.millwright.providers.aws.api;

import java.util.Set;

/// AWS said no, or said nothing. Whoever asked decides what that means.
///
/// `isUnanswered` is for a call of which nobody knows whether it was carried out.
public final class AwsFault extends Exception {

    private static final long serialVersionUID = 1L;

    private static final Set<String> NOT_FOUND =
            Set.of(
                    "InvalidCapacityReservationId.NotFound",
                    "InvalidInstanceID.NotFound",
                    "InvalidLaunchTemplateName.NotFoundException",
                    "InvalidLaunchTemplateId.NotFound",
                    "QueueDoesNotExist",
                    "AWS.SimpleQueueService.NonExistentQueue",
                    "NoSuchEntity",
                    "ParameterNotFound");

    private static final Set<String> UNAUTHORIZED =
            Set.of("UnauthorizedOperation", "AccessDenied", "AccessDeniedException");

    private static final Set<String> THROTTLED =
            Set.of("RequestLimitExceeded", "Throttling", "ThrottlingException");

    private final String code;
    private final boolean isServerSide;
    private final boolean isUnanswered;

    public AwsFault(String code, String message, boolean isServerSide, boolean isUnanswered) {
        super(message);
        this.code = code;
        this.isServerSide = isServerSide;
        this.isUnanswered = isUnanswered;
    }

    /// What a client did wrong, in AWS's eyes.
    public static AwsFault refused(String code, String message) {
        return new AwsFault(code, message, false, false);
    }

    /// A call that changes something.
    @FunctionalInterface
    public interface Call {
        void run() throws AwsFault;
    }

    /// For a deletion: what is gone is as good as deleted.
    public static void unlessGone(Call call) throws AwsFault {
        try {
            call.run();
        } catch (AwsFault fault) {
            if (!fault.isNotFound()) {
                throw fault;
            }
        }
    }

    public String code() {
        return code;
    }

    /// `code: message`, as the classification of reasons reads it.
    public String text() {
        return "%s: %s".formatted(code, getMessage());
    }

    /// The fault is AWS's own: worth asking again, says nothing about what was asked.
    public boolean isServerSide() {
        return isServerSide;
    }

    public boolean isUnanswered() {
        return isUnanswered;
    }

    public boolean isNotFound() {
        return NOT_FOUND.contains(code);
    }

    public boolean isAlreadyThere() {
        return code.equals("EntityAlreadyExists");
    }

    public boolean isUnauthorized() {
        return UNAUTHORIZED.contains(code);
    }

    public boolean isThrottled() {
        return THROTTLED.contains(code);
    }

    /// Nothing was learned by asking: the same question later may be answered.
    public boolean isPassing() {
        return isThrottled() || isServerSide || isUnanswered;
    }
}
