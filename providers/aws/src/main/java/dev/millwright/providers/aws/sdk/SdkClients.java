package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsApis;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.EksApi;
import dev.millwright.providers.aws.api.IamApi;
import dev.millwright.providers.aws.api.IdentityApi;
import dev.millwright.providers.aws.api.PricingApi;
import dev.millwright.providers.aws.api.SqsApi;
import dev.millwright.providers.aws.api.SsmApi;
import dev.millwright.providers.aws.api.ZonalShiftApi;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.arczonalshift.ArcZonalShiftClient;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.eks.EksClient;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.pricing.PricingClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.ssm.SsmClient;
import software.amazon.awssdk.services.sts.StsClient;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// All ports on the SDK, with one way to reach AWS.
///
/// Each service has a client with an adaptive retry strategy, which slows down when AWS throttles,
/// below a rate of our own that it never passes.
public final class SdkClients implements AutoCloseable {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(20);

    /// Attempts a second, and at once after a rest. SQS's is far above the others' because a storm
    /// of interruptions is worked off message by message.
    private static final double EC2_RATE = 50;

    private static final int EC2_BURST = 200;
    private static final double SQS_RATE = 3_000;
    private static final int SQS_BURST = 3_000;
    private static final double OTHER_RATE = 20;
    private static final int OTHER_BURST = 60;

    static {
        // The JDK's HTTP client sends a POST a second time when the connection breaks, unseen. What
        // is sent again, and how often, is the retry strategy's to say.
        if (System.getProperty("sun.net.http.retryPost") == null) {
            System.setProperty("sun.net.http.retryPost", "false");
        }
    }

    private final SdkSettings settings;
    private final CallListener listener;
    private final SdkHttpClient http;
    private final AwsCredentialsProvider credentials;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Ec2Api ec2;
    private final IamApi iam;
    private final IdentityApi identity;
    private final SsmApi ssm;
    private final EksApi eks;
    private final SqsApi sqs;
    private final PricingApi pricing;
    private final ZonalShiftApi zonalShift;

    public SdkClients(SdkSettings settings, CallListener listener) {
        this.settings = settings;
        this.listener = listener;
        this.http =
                UrlConnectionHttpClient.builder()
                        .socketTimeout(settings.timeout())
                        .connectionTimeout(CONNECT_LIMIT)
                        .build();
        this.credentials = credentials(settings);
        var here = Region.of(settings.region());
        var ec2Rate = new CallRate(EC2_RATE, EC2_BURST, System::nanoTime);
        var sqsRate = new CallRate(SQS_RATE, SQS_BURST, System::nanoTime);
        this.ec2 =
                new SdkEc2(
                        build("EC2", Ec2Client.builder(), here, ec2Rate, retries()),
                        build(
                                "EC2",
                                Ec2Client.builder(),
                                here,
                                ec2Rate,
                                AwsRetryStrategy.doNotRetry()));
        this.iam = new SdkIam(build("IAM", IamClient.builder(), here, otherRate(), retries()));
        this.identity =
                new SdkIdentity(build("STS", StsClient.builder(), here, otherRate(), retries()));
        this.ssm = new SdkSsm(build("SSM", SsmClient.builder(), here, otherRate(), retries()));
        this.eks = new SdkEks(build("EKS", EksClient.builder(), here, otherRate(), retries()));
        this.sqs = new SdkSqs(build("SQS", SqsClient.builder(), here, sqsRate, retries()));
        this.pricing =
                new SdkPricing(
                        build(
                                "Pricing",
                                PricingClient.builder(),
                                Region.of(SdkPricing.regionFor(settings.region())),
                                otherRate(),
                                retries()));
        this.zonalShift =
                new SdkZonalShift(
                        build(
                                "ARC Zonal Shift",
                                ArcZonalShiftClient.builder(),
                                here,
                                otherRate(),
                                retries()));
    }

    public Ec2Api ec2() {
        return ec2;
    }

    public IamApi iam() {
        return iam;
    }

    public IdentityApi identity() {
        return identity;
    }

    public SsmApi ssm() {
        return ssm;
    }

    public EksApi eks() {
        return eks;
    }

    public SqsApi sqs() {
        return sqs;
    }

    public PricingApi pricing() {
        return pricing;
    }

    public ZonalShiftApi zonalShift() {
        return zonalShift;
    }

    /// All of them together.
    public AwsApis apis() {
        return new AwsApis(ec2, iam, ssm, eks, sqs, pricing, zonalShift);
    }

    @Override
    public void close() {
        for (var each : open) {
            try {
                each.close();
            } catch (Exception failure) {
                throw new IllegalStateException("cannot close " + each, failure);
            }
        }
        http.close();
    }

    private static AwsCredentialsProvider credentials(SdkSettings settings) {
        var keys = settings.keys();
        return keys == null
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(keys.id(), keys.secret()));
    }

    private static CallRate otherRate() {
        return new CallRate(OTHER_RATE, OTHER_BURST, System::nanoTime);
    }

    private RetryStrategy retries() {
        var strategy =
                AwsRetryStrategy.adaptiveRetryStrategy().toBuilder()
                        .maxAttempts(settings.attemptsMax());
        var first = settings.backoff();
        if (first != null) {
            var backoff = BackoffStrategy.exponentialDelay(first, BACKOFF_MAX);
            strategy.backoffStrategy(backoff).throttlingBackoffStrategy(backoff);
        }
        return strategy.build();
    }

    private <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C extends AutoCloseable>
            C build(
                    String service,
                    B builder,
                    Region region,
                    CallRate rate,
                    RetryStrategy retries) {
        builder.httpClient(http)
                .credentialsProvider(credentials)
                .region(region)
                .overrideConfiguration(
                        ClientOverrideConfiguration.builder()
                                .retryStrategy(retries)
                                .putAdvancedOption(
                                        SdkAdvancedClientOption.USER_AGENT_PREFIX,
                                        "karpenter.sh-" + settings.version())
                                .addExecutionInterceptor(new CallMeter(service, listener, rate))
                                .build());
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        } else if (settings.isFips()) {
            builder.fipsEnabled(true);
        }
        var client = builder.build();
        open.add(client);
        return client;
    }
}
