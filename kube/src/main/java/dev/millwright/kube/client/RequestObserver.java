package dev.millwright.kube.client;

import java.time.Duration;

/// Hears of every request that went out, for metrics and the log. It is called on the thread of the
/// request and must not block.
public interface RequestObserver {

    /// Nobody listens.
    RequestObserver NONE = new RequestObserver() {};

    /// `code` is that of HTTP, or 0 where no answer came. A watch is answered when it begins.
    default void answered(ApiCall call, int code, Duration took) {}

    /// A list or watch ended otherwise than it should, with a message for the log.
    default void broke(ApiCall call, String message) {}
}
