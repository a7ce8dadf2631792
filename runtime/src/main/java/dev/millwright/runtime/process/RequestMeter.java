package dev.millwright.runtime.process;

import dev.millwright.kube.client.ApiCall;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.metrics.ClientFamilies;
import dev.millwright.runtime.metrics.Meter;

import java.time.Duration;
import java.util.List;

/// Counts and times requests to the API server.
public record RequestMeter(Meter meter, Log log) implements RequestObserver {

    @Override
    public void answered(ApiCall call, int code, Duration took) {
        meter.count(
                ClientFamilies.REQUESTS,
                1,
                List.of(code == 0 ? "<error>" : Integer.toString(code), call.verb().method()));
        if (call.verb() == ApiCall.Verb.WATCH) {
            return; // It is answered when it begins; how long it lasts says nothing.
        }
        meter.observe(
                ClientFamilies.REQUEST_DURATION,
                took.toNanos() / 1e9,
                List.of(
                        call.verb().name(),
                        call.type().group(),
                        call.type().version(),
                        call.type().plural(),
                        call.subresource()));
    }

    @Override
    public void broke(ApiCall call, String message) {
        log.debug("request broke off", "call", call.toString(), "error", message);
    }
}
