package dev.millwright.dashboard.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;

import org.junit.jupiter.api.Test;

import java.util.stream.Stream;

class GuardTest {

    private static final Guard GUARD = Guard.of(8080);

    private static Headers headers(String... namesAndValues) {
        var headers = new Headers();
        for (var index = 0; index < namesAndValues.length; index += 2) {
            headers.set(namesAndValues[index], namesAndValues[index + 1]);
        }
        return headers;
    }

    @Test
    void ourOwnPageMayLookAndAct() {
        var own =
                headers(
                        "Host", "localhost:8080",
                        "Origin", "http://localhost:8080",
                        "Sec-Fetch-Site", "same-origin",
                        "Content-Type", "application/json; charset=utf-8");
        assertThat(GUARD.objection(own)).isNull();
        assertThat(GUARD.objectionToChange(own)).isNull();
    }

    @Test
    void aProgramWithoutAnOriginMayAct() {
        assertThat(
                        GUARD.objectionToChange(
                                headers(
                                        "Host", "127.0.0.1:8080",
                                        "Content-Type", "application/json")))
                .isNull();
    }

    @Test
    void aNameThatAnotherSiteMadePointHereIsRefused() {
        assertThat(GUARD.objection(headers("Host", "evil.example:8080")))
                .isEqualTo("the host is not ours; open the page by the address that was printed");
        assertThat(GUARD.objection(headers("Host", "127.0.0.1:9090"))).isNotNull();
        assertThat(GUARD.objection(headers())).isNotNull();
    }

    @Test
    void anotherSiteMayNeitherLookNorAct() {
        assertThat(
                        GUARD.objection(
                                headers(
                                        "Host",
                                        "127.0.0.1:8080",
                                        "Origin",
                                        "https://evil.example")))
                .isEqualTo("the request comes from another site");
        assertThat(
                        GUARD.objection(
                                headers("Host", "127.0.0.1:8080", "Sec-Fetch-Site", "cross-site")))
                .isEqualTo("the request comes from another site");
    }

    @Test
    void aFormCannotAct() {
        assertThat(
                        GUARD.objectionToChange(
                                headers("Host", "127.0.0.1:8080", "Content-Type", "text/plain")))
                .isEqualTo("the content type must be application/json");
        assertThat(GUARD.objectionToChange(headers("Host", "127.0.0.1:8080"))).isNotNull();
    }

    @Test
    void inAClusterWeAreKnownByManyNamesButNoneOfTheInternet() {
        var guard = Guard.inCluster();
        assertThat(
                        Stream.of(
                                        "localhost:8642",
                                        "10.0.3.7:8080",
                                        "[fd00::7]:8080",
                                        "millwright",
                                        "millwright.kube-system.svc:80",
                                        "millwright.kube-system.svc.cluster.local")
                                .filter(host -> guard.objection(headers("Host", host)) != null))
                .isEmpty();
        assertThat(
                        Stream.of(
                                        "evil.example:8080",
                                        "millwright.svc.evil.example",
                                        "10.0.3.7.evil.example",
                                        "")
                                .filter(host -> guard.objection(headers("Host", host)) == null))
                .isEmpty();
    }
}
