package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;

import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;

/// From the SDK's exceptions to our fault.
///
/// What matters to a caller of a call that makes something is whether it may have been carried out:
/// it may whenever the request was sent and no answer came.
final class Translation {

    /// Sent, and no answer came.
    static final String UNANSWERED = "Unanswered";

    /// Never sent: no connection.
    static final String UNREACHABLE = "Unreachable";

    /// Never sent: no credentials, or a request that cannot be written.
    static final String UNSENT = "Unsent";

    private static final String DRY_RUN = "DryRunOperation";
    private static final int SERVER_ERRORS = 500;
    private static final int CAUSES_MAX = 20;

    /// Characters of a message of the SDK that are told on.
    private static final int MESSAGE_MAX = 300;

    private Translation() {}

    static <T> T ask(Supplier<T> call) throws AwsFault {
        try {
            return call.get();
        } catch (SdkException failure) {
            throw faultOf(failure);
        }
    }

    /// A dry run that would have succeeded is told by an error.
    static void tryOut(Supplier<?> call) throws AwsFault {
        try {
            ask(call);
        } catch (AwsFault fault) {
            if (!fault.code().equals(DRY_RUN)) {
                throw fault;
            }
        }
    }

    static AwsFault faultOf(SdkException failure) {
        var fault =
                failure instanceof AwsServiceException refusal
                        ? refused(refusal)
                        : unanswered(failure);
        fault.initCause(failure);
        return fault;
    }

    /// Any failure's code, as it is counted.
    static String codeOf(Throwable failure) {
        return failure instanceof SdkException known
                ? faultOf(known).code()
                : failure.getClass().getSimpleName();
    }

    private static AwsFault refused(AwsServiceException refusal) {
        var details = refusal.awsErrorDetails();
        var status = refusal.statusCode();
        var code = details == null ? null : details.errorCode();
        var message = details == null ? null : details.errorMessage();
        return new AwsFault(
                code == null ? "Http" + status : code,
                Absent.text(message == null ? refusal.getMessage() : message),
                status >= SERVER_ERRORS,
                false);
    }

    private static AwsFault unanswered(SdkException failure) {
        var message = words(Absent.text(failure.getMessage()));
        var causes =
                Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                        .limit(CAUSES_MAX)
                        .toList();
        if (causes.stream().anyMatch(Translation::isUnconnected)) {
            return new AwsFault(UNREACHABLE, message, true, false);
        }
        return causes.stream().anyMatch(Translation::isLost)
                ? new AwsFault(UNANSWERED, message, false, true)
                : new AwsFault(UNSENT, message, false, false);
    }

    /// The SDK tells of every place in which it looked for credentials.
    private static String words(String message) {
        if (message.startsWith("Unable to load credentials from any of the providers")) {
            return "no credentials in environment, profile, web identity or instance metadata";
        }
        return message.length() <= MESSAGE_MAX
                ? message
                : message.substring(0, MESSAGE_MAX) + "...";
    }

    private static boolean isUnconnected(Throwable cause) {
        return cause instanceof ConnectException
                || cause instanceof UnknownHostException
                || cause instanceof NoRouteToHostException
                || cause instanceof SSLHandshakeException;
    }

    private static boolean isLost(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof ApiCallTimeoutException
                || cause instanceof ApiCallAttemptTimeoutException
                || cause instanceof AbortedException;
    }
}
