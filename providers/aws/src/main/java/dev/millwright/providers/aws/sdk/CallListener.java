package dev.millwright.providers.aws.sdk;

import java.time.Duration;
import java.util.List;

/// Hears of every call when it is over. Called on the caller's thread; it must not throw.
public interface CallListener {

    /// Hears nothing.
    CallListener NONE = _ -> {};

    /// @param service e.g. `EC2`
    /// @param operation e.g. `CreateFleet`
    /// @param status the last answer's, zero when there was none
    /// @param code what AWS called the fault, empty for a success
    /// @param took from the question to the last answer, with all waits
    record Call(
            String service,
            String operation,
            int status,
            String code,
            List<Attempt> attempts,
            Duration took) {

        public Call {
            attempts = List.copyOf(attempts);
        }
    }

    /// One sending of a call.
    ///
    /// @param status zero when it was not answered
    record Attempt(int status, Duration took) {}

    void over(Call call);
}
