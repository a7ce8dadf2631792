package dev.millwright.providers.aws.sdk;

import java.time.Duration;

/// Hears of every call when it is over. Called on the caller's thread; it must not throw.
public interface CallListener {

    /// Hears nothing.
    CallListener NONE = _ -> {};

    /// @param service e.g. `Ec2`
    /// @param operation e.g. `CreateFleet`
    /// @param status the last answer's, zero when there was none
    /// @param code what AWS called the fault, empty for a success
    /// @param attempts how often it was sent
    record Call(
            String service,
            String operation,
            int status,
            String code,
            int attempts,
            Duration took) {}

    void over(Call call);
}
