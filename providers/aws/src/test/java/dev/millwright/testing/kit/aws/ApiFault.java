package dev.millwright.testing.kit.aws;

import dev.millwright.kube.document.Tree;

import java.time.Duration;

/// What happens to calls of one action, whoever makes them.
///
/// @param code what AWS says; empty to let the call through after the delay
/// @param times how many calls; below zero for all
/// @param skip how many matching calls are let through first
/// @param match a pattern on the request's JSON; empty for every request
/// @param drop `before` or `after` the call was carried out the connection closes without an
///   answer; empty to answer
public record ApiFault(
        String action,
        String code,
        int status,
        String message,
        int times,
        int skip,
        String match,
        Duration delay,
        String drop) {

    /// The next call is refused.
    public static ApiFault refuse(String action, String code, int status) {
        return new ApiFault(action, code, status, "injected", 1, 0, "", Duration.ZERO, "");
    }

    /// The next call is throttled.
    public static ApiFault throttle(String action) {
        return refuse(action, "RequestLimitExceeded", 503);
    }

    /// The next call is carried out, and its caller hears nothing.
    public static ApiFault hangUpAfter(String action) {
        return new ApiFault(action, "", 400, "", 1, 0, "", Duration.ZERO, "after");
    }

    /// The next call is not carried out, and its caller hears nothing.
    public static ApiFault hangUpBefore(String action) {
        return new ApiFault(action, "", 400, "", 1, 0, "", Duration.ZERO, "before");
    }

    /// The next call is answered late.
    public static ApiFault delay(String action, Duration delay) {
        return new ApiFault(action, "", 400, "", 1, 0, "", delay, "");
    }

    public ApiFault times(int count) {
        return new ApiFault(action, code, status, message, count, skip, match, delay, drop);
    }

    public ApiFault always() {
        return times(-1);
    }

    public ApiFault after(int calls) {
        return new ApiFault(action, code, status, message, times, calls, match, delay, drop);
    }

    public ApiFault saying(String words) {
        return new ApiFault(action, code, status, words, times, skip, match, delay, drop);
    }

    public ApiFault matching(String pattern) {
        return new ApiFault(action, code, status, message, times, skip, pattern, delay, drop);
    }

    Tree tree() {
        return Tree.of("action", action)
                .put("code", code)
                .put("status", status)
                .put("message", message)
                .put("times", times)
                .put("skip", skip)
                .put("match", match)
                .put("delayMillis", delay.toMillis())
                .put("drop", drop);
    }
}
