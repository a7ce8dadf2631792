package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.sdk.CallListener.Attempt;
import dev.millwright.providers.aws.sdk.CallListener.Call;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpResponse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Holds attempts back to the rate their service is allowed, times them, and tells the listener how
/// each call ended.
final class CallMeter implements ExecutionInterceptor {

    private static final ExecutionAttribute<Progress> PROGRESS =
            new ExecutionAttribute<>("millwright.progress");

    private final String service;
    private final CallListener listener;
    private final CallRate rate;

    CallMeter(String service, CallListener listener, CallRate rate) {
        this.service = service;
        this.listener = listener;
        this.rate = rate;
    }

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        attributes.putAttribute(PROGRESS, new Progress());
    }

    @Override
    public void beforeTransmission(
            Context.BeforeTransmission context, ExecutionAttributes attributes) {
        rate.await();
        attributes.getAttribute(PROGRESS).begin();
    }

    @Override
    public void afterTransmission(
            Context.AfterTransmission context, ExecutionAttributes attributes) {
        attributes.getAttribute(PROGRESS).end(context.httpResponse().statusCode());
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
        tell(attributes, context.httpResponse(), "");
    }

    @Override
    public void onExecutionFailure(
            Context.FailedExecution context, ExecutionAttributes attributes) {
        tell(
                attributes,
                context.httpResponse().orElse(null),
                Translation.codeOf(context.exception()));
    }

    private void tell(
            ExecutionAttributes attributes, @Nullable SdkHttpResponse response, String code) {
        var progress = attributes.getAttribute(PROGRESS);
        progress.end(0);
        listener.over(
                new Call(
                        service,
                        attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME),
                        response == null ? 0 : response.statusCode(),
                        code,
                        progress.attempts,
                        progress.took()));
    }

    /// One call's; a call is made by one thread.
    private static final class Progress {

        private final long asked = System.nanoTime();
        private final List<Attempt> attempts = new ArrayList<>();
        private long sent;
        private boolean isOut;

        void begin() {
            end(0);
            sent = System.nanoTime();
            isOut = true;
        }

        /// Without effect when no attempt is out: who hears nothing is told by the next beginning.
        void end(int status) {
            if (isOut) {
                attempts.add(new Attempt(status, Duration.ofNanos(System.nanoTime() - sent)));
                isOut = false;
            }
        }

        Duration took() {
            return Duration.ofNanos(System.nanoTime() - asked);
        }
    }
}
