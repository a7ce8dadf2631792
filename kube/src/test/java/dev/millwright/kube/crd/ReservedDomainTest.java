package dev.millwright.kube.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.crd.ReservedDomain.Reach;

import org.junit.jupiter.api.Test;

import java.util.List;

class ReservedDomainTest {

    private static final String KEYS =
            "self in [\"example.com/a\", \"example.com/b\"] || !self.find(\"^[^/]+\").endsWith(\"example.com\")";
    private static final String LABELS =
            "self.all(x, x in [\"example.com/a\", \"example.com/b\"] || !x.find(\"^[^/]+\").endsWith(\"example.com\"))";

    private static ReservedDomain domain(Reach reach) {
        return new ReservedDomain("example.com", List.of("example.com/b", "example.com/a"), reach);
    }

    private static List<String> rules(CustomResources resources, String name) {
        return Definition.of(resources.definition(name)).rules().stream()
                .map(rule -> rule.at("rule").text(""))
                .filter(rule -> rule.contains("example.com"))
                .toList();
    }

    @Test
    void requirementKeysAreReservedInPoolsAndClaims() {
        var resources = CustomResources.core().reserving(domain(Reach.REQUIREMENTS));

        assertThat(rules(resources, CustomResources.NODE_POOLS)).containsExactly(KEYS);
        assertThat(rules(resources, CustomResources.NODE_CLAIMS)).containsExactly(KEYS);
        assertThat(rules(resources, CustomResources.NODE_OVERLAYS)).isEmpty();
    }

    @Test
    void labelKeysAreReservedInPoolsWhenTheDomainReachesThem() {
        var resources = CustomResources.core().reserving(domain(Reach.REQUIREMENTS_AND_LABELS));

        assertThat(rules(resources, CustomResources.NODE_POOLS))
                .containsExactlyInAnyOrder(KEYS, LABELS);
        assertThat(rules(resources, CustomResources.NODE_CLAIMS)).containsExactly(KEYS);
    }

    @Test
    void overlaysHaveKeysOfTheirOwn() {
        var resources = CustomResources.core().reserving(domain(Reach.OVERLAYS));

        assertThat(rules(resources, CustomResources.NODE_OVERLAYS)).containsExactly(KEYS);
        assertThat(rules(resources, CustomResources.NODE_POOLS)).isEmpty();
        assertThat(rules(resources, CustomResources.NODE_CLAIMS)).isEmpty();
    }

    @Test
    void aSecondDomainKeepsTheRuleOfTheFirst() {
        var resources =
                CustomResources.core()
                        .reserving(domain(Reach.REQUIREMENTS))
                        .reserving(
                                new ReservedDomain(
                                        "sub.example.com", List.of(), Reach.REQUIREMENTS));

        assertThat(rules(resources, CustomResources.NODE_CLAIMS))
                .containsExactly(
                        KEYS, "self in [] || !self.find(\"^[^/]+\").endsWith(\"sub.example.com\")");
    }

    @Test
    void onlyKwokReservesTheDomainOfKwok() {
        assertThat(CustomResources.core().text()).doesNotContain("karpenter.kwok.sh");
        assertThat(CustomResources.kwok().definition(CustomResources.NODE_POOLS))
                .containsOnlyOnce("endsWith(\"karpenter.kwok.sh\")");
    }

    @Test
    void whatIsNoDomainOrKeyIsRefused() {
        assertThatThrownBy(() -> new ReservedDomain("a\"b", List.of(), Reach.REQUIREMENTS))
                .hasMessage("domain \"a\"b\" is none; wanted one like karpenter.kwok.sh");
        assertThatThrownBy(() -> new ReservedDomain("a.b", List.of("a\"/b"), Reach.REQUIREMENTS))
                .hasMessage("key \"a\"/b\" is none; wanted one like a.b/name");
    }
}
