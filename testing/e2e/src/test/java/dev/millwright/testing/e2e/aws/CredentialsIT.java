package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.sdk.CallListener;
import dev.millwright.providers.aws.sdk.RegionFinder;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.providers.aws.sdk.SdkSettings;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.AwsEndpointExtension;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/// The SDK's default chain, by the system properties that stand for its environment variables.
@ExtendWith(AwsEndpointExtension.class)
@DisabledIfEnvironmentVariable(
        named = "AWS_ACCESS_KEY_ID",
        matches = ".+",
        disabledReason = "credentials of the machine's own come first")
class CredentialsIT {

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private final Properties before = new Properties();

    @BeforeEach
    void keepProperties(@TempDir Path home) {
        before.putAll(System.getProperties());
        // No files of the machine's own.
        System.setProperty("aws.sharedCredentialsFile", home.resolve("credentials").toString());
        System.setProperty("aws.configFile", home.resolve("config").toString());
    }

    @AfterEach
    void restoreProperties() {
        System.setProperties(before);
    }

    @Test
    void keysOfTheEnvironmentSignRequests() throws AwsFault {
        System.setProperty("aws.accessKeyId", "AKIDENVIRONMENT");
        System.setProperty("aws.secretAccessKey", "secret");
        assertThat(signers()).containsExactly("AKIDENVIRONMENT");
    }

    @Test
    void aProfileSignsRequests(@TempDir Path home) throws AwsFault, IOException {
        var file = home.resolve("credentials");
        Files.writeString(
                file, "[nodes]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = secret\n");
        System.setProperty("aws.sharedCredentialsFile", file.toString());
        System.setProperty("aws.profile", "nodes");
        assertThat(signers()).containsExactly("AKIDPROFILE");
    }

    @Test
    void aPodsIdentitySignsRequests() throws AwsFault {
        System.setProperty("aws.containerCredentialsFullUri", endpoint.uri() + "/_sim/credentials");
        assertThat(signers()).containsExactly("AKIDPOD");
    }

    @Test
    void aServiceAccountsTokenIsChangedForARole(@TempDir Path home) throws AwsFault, IOException {
        var token = Files.writeString(home.resolve("token"), "a.b.c");
        System.setProperty("aws.webIdentityTokenFile", token.toString());
        System.setProperty("aws.roleArn", "arn:aws:iam::123456789012:role/test-role");
        System.setProperty("aws.roleSessionName", "test");
        System.setProperty("aws.region", AwsEndpoint.REGION);
        System.setProperty("aws.endpointUrl", endpoint.uri().toString());
        assertThat(signers()).anySatisfy(key -> assertThat(key).startsWith("ASIA"));
        assertThat(endpoint.calls("AssumeRoleWithWebIdentity")).isEqualTo(1);
    }

    @Test
    void theMachineTellsItsRegionWhereNobodyElseDoes() {
        System.setProperty("aws.ec2MetadataServiceEndpoint", endpoint.uri().toString());
        assertThat(RegionFinder.find()).isEqualTo(AwsEndpoint.REGION);
    }

    private List<String> signers() throws AwsFault {
        var settings = SdkSettings.of(AwsEndpoint.REGION, "test").withEndpoint(endpoint.uri());
        try (var clients = new SdkClients(settings, CallListener.NONE)) {
            clients.ec2().tryInstanceTypes();
        }
        return endpoint.accessKeys();
    }
}
