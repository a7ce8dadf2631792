package dev.millwright.addons.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

final class ScopedTest {

    private static final ObjectName WEB = new ObjectName("a", "web");
    private static final Step LOOKED_AT = Step.again(Duration.ofSeconds(7));

    private final View view = View.only(List.of(AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));

    private void put(Kind<RawObject> kind, String labels) {
        view.cache(kind)
                .put(
                        (Value.Mapping)
                                DocumentReader.readAll(
                                                Source.text(
                                                        "object",
                                                        "metadata: {name: web, namespace: a, labels: {%s}}"
                                                                .formatted(labels)))
                                        .getFirst());
    }

    private boolean isLookedAt(Kind<RawObject> kind, String filter) {
        return new Scoped(kind, new Looking(), filter)
                .step(view, WEB, Instant.EPOCH)
                .equals(LOOKED_AT);
    }

    @Test
    void withoutAFilterEverythingIsLookedAt() {
        put(AddonTypes.CHART_PROXY, "");
        assertThat(isLookedAt(AddonTypes.CHART_PROXY, "")).isTrue();
    }

    @Test
    void theLabelDecides() {
        put(AddonTypes.CHART_PROXY, "cluster.x-k8s.io/watch-filter: blue");
        assertThat(isLookedAt(AddonTypes.CHART_PROXY, "blue")).isTrue();
        assertThat(isLookedAt(AddonTypes.CHART_PROXY, "green")).isFalse();
    }

    @Test
    void aReleaseProxyGoesByItsChartProxyUnlessItHasTheLabel() {
        var ofWeb = AddonTypes.CHART_PROXY_NAME + ": web";
        put(AddonTypes.CHART_PROXY, "cluster.x-k8s.io/watch-filter: blue");
        put(AddonTypes.RELEASE_PROXY, ofWeb);
        assertThat(isLookedAt(AddonTypes.RELEASE_PROXY, "blue")).isTrue();
        put(AddonTypes.RELEASE_PROXY, ofWeb + ", cluster.x-k8s.io/watch-filter: green");
        assertThat(isLookedAt(AddonTypes.RELEASE_PROXY, "blue")).isFalse();
    }

    @Test
    void whatIsGoneIsToldToTheController() {
        assertThat(isLookedAt(AddonTypes.RELEASE_PROXY, "blue")).isTrue();
    }

    private static final class Looking implements Controller {
        @Override
        public String name() {
            return "looking";
        }

        @Override
        public List<Watch<?>> watches() {
            return List.of();
        }

        @Override
        public Pace pace() {
            return Pace.of(1);
        }

        @Override
        public Step step(View view, ObjectName key, Instant now) {
            return LOOKED_AT;
        }
    }
}
