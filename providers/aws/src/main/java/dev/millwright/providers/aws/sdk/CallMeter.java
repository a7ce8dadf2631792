package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.sdk.CallListener.Call;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpResponse;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// Holds attempts back to the rate their service is allowed, counts them, and tells the listener
/// how each call ended.
final class CallMeter implements ExecutionInterceptor {

    private static final ExecutionAttribute<Progress> PROGRESS =
            new ExecutionAttribute<>("millwright.progress");

    private final CallListener listener;
    private final CallRate rate;

    CallMeter(CallListener listener, CallRate rate) {
        this.listener = listener;
        this.rate = rate;
    }

    private record Progress(long began, AtomicInteger attempts) {}

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        attributes.putAttribute(PROGRESS, new Progress(System.nanoTime(), new AtomicInteger()));
    }

    @Override
    public void beforeTransmission(
            Context.BeforeTransmission context, ExecutionAttributes attributes) {
        attributes.getAttribute(PROGRESS).attempts().incrementAndGet();
        rate.await();
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
        listener.over(
                new Call(
                        attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME),
                        attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME),
                        response == null ? 0 : response.statusCode(),
                        code,
                        progress.attempts().get(),
                        Duration.ofNanos(System.nanoTime() - progress.began())));
    }
}
