package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IdentityApi;

import software.amazon.awssdk.services.sts.StsClient;

final class SdkIdentity implements IdentityApi {

    private final StsClient client;

    SdkIdentity(StsClient client) {
        this.client = client;
    }

    @Override
    public Identity identity() throws AwsFault {
        var answer = Translation.ask(() -> client.getCallerIdentity());
        return new Identity(Absent.text(answer.account()), Absent.text(answer.arn()));
    }
}
