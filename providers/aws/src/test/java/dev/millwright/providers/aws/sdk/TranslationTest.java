package dev.millwright.providers.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.api.AwsFault;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;

class TranslationTest {

    @Test
    void aRefusalKeepsItsCodeAndWords() {
        var fault = Translation.faultOf(refusal("UnauthorizedOperation", 403));
        assertThat(fault.text()).isEqualTo("UnauthorizedOperation: words");
        assertThat(fault.isServerSide()).isFalse();
        assertThat(fault.isUnanswered()).isFalse();
        assertThat(fault.getCause()).isInstanceOf(AwsServiceException.class);
    }

    @Test
    void fiveHundredsAreTheServersFault() {
        assertThat(Translation.faultOf(refusal("InternalError", 500)).isServerSide()).isTrue();
    }

    @Test
    void anAnswerWithoutACodeIsNamedByItsStatus() {
        var fault =
                Translation.faultOf(
                        AwsServiceException.builder().message("?").statusCode(502).build());
        assertThat(fault.code()).isEqualTo("Http502");
        assertThat(fault.isServerSide()).isTrue();
    }

    @Test
    void aLostAnswerLeavesOpenWhetherTheCallWasCarriedOut() {
        assertThat(caused(new SocketTimeoutException("Read timed out")).isUnanswered()).isTrue();
        assertThat(caused(new IOException("Unexpected end of file")).isUnanswered()).isTrue();
    }

    @Test
    void whatWasNeverSentWasNotCarriedOut() {
        assertThat(caused(new ConnectException("refused")).isUnanswered()).isFalse();
        var wrapped = new IOException("wrapped", new ConnectException("refused"));
        assertThat(caused(wrapped).isUnanswered()).isFalse();
        var unsent = Translation.faultOf(SdkClientException.create("no credentials"));
        assertThat(unsent.isUnanswered()).isFalse();
        assertThat(unsent.isPassing()).isFalse();
        assertThat(unsent.code()).isEqualTo("Unsent");
    }

    @ParameterizedTest
    @CsvSource({
        "us-west-2,us-east-1",
        "eu-west-1,eu-central-1",
        "ap-southeast-2,ap-south-1",
        "cn-north-1,cn-northwest-1"
    })
    void pricesAreAskedWhereTheyAreServed(String region, String wanted) {
        assertThat(SdkPricing.regionFor(region)).isEqualTo(wanted);
    }

    private static AwsFault caused(Exception cause) {
        SdkException failure = SdkClientException.create("failed", cause);
        return Translation.faultOf(failure);
    }

    private static AwsServiceException refusal(String code, int status) {
        var details = AwsErrorDetails.builder().errorCode(code).errorMessage("words").build();
        return AwsServiceException.builder()
                .awsErrorDetails(details)
                .message("words (Service: Ec2)")
                .statusCode(status)
                .build();
    }
}
