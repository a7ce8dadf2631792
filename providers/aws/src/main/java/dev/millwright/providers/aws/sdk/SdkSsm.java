package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SsmApi;

import software.amazon.awssdk.services.ssm.SsmClient;

final class SdkSsm implements SsmApi {

    private final SsmClient client;

    SdkSsm(SsmClient client) {
        this.client = client;
    }

    @Override
    public String parameter(String name) throws AwsFault {
        return Translation.ask(() -> client.getParameter(r -> r.name(name))).parameter().value();
    }
}
