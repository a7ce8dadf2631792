package dev.millwright.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;
import dev.millwright.core.scheduling.TopologyGroup.HostsAllowed;
import dev.millwright.core.scheduling.TopologyGroup.Kind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Which domains a spread or an affinity leaves open, by the pods that are counted. Domains are
/// `a`, `b` and `c`, by number 0 to 2.
final class TopologyGroupTest {

    private static final List<String> DOMAINS = List.of("a", "b", "c");

    private static TopologyGroup group(
            Kind kind, String name, int maxSkew, @Nullable Integer minDomains) {
        var identity =
                new TopologyGroup.Identity(
                        kind,
                        name,
                        List.of("default"),
                        Selector.ofLabels(Map.of("app", "web")),
                        maxSkew,
                        NodeFilter.EVERY_NODE);
        var key = new TopologyKey(name, new RequirementSpace(Set.of()));
        return new TopologyGroup(identity, 0, key, minDomains);
    }

    /// With so many pods in each of the domains.
    private static TopologyGroup counting(TopologyGroup group, int... counts) {
        DOMAINS.forEach(group.key()::number);
        for (var domain = 0; domain < counts.length; domain++) {
            group.know(domain);
            for (var pod = 0; pod < counts[domain]; pod++) {
                group.record(domain);
            }
        }
        return group;
    }

    private static TopologyGroup spread(int maxSkew, int... counts) {
        return counting(group(Kind.SPREAD, "zone", maxSkew, null), counts);
    }

    private static TopologyGroup affinity(int... counts) {
        return counting(group(Kind.AFFINITY, "zone", 1, null), counts);
    }

    private static TopologyGroup antiAffinity(int... counts) {
        return counting(group(Kind.ANTI_AFFINITY, "zone", 1, null), counts);
    }

    private static List<String> names(long[] domains) {
        return IntStream.range(0, DOMAINS.size())
                .filter(each -> Bits.has(domains, each))
                .mapToObj(DOMAINS::get)
                .toList();
    }

    private static List<String> open(TopologyGroup group, boolean isSelected) {
        return names(group.open(Bits.all(DOMAINS.size()), isSelected));
    }

    private static List<List<String>> options(TopologyGroup group, String... domains) {
        var all = group.open(Bits.all(DOMAINS.size()), true);
        var ofNode = group.key().allowed(Requirement.in("zone", domains));
        return group.options(all, ofNode).stream().map(TopologyGroupTest::names).toList();
    }

    // Spread

    @Test
    void aSpreadLeavesOpenWhatStaysWithinTheSkew() {
        assertThat(open(spread(1, 1, 0, 2), true)).containsExactly("b");
        assertThat(open(spread(2, 1, 0, 2), true)).containsExactly("a", "b");
        assertThat(open(spread(1, 1, 1, 1), true)).containsExactly("a", "b", "c");
    }

    @Test
    void aPodThatTheSpreadDoesNotCountAddsNothingToTheSkew() {
        assertThat(open(spread(1, 1, 0, 2), false)).containsExactly("a", "b");
    }

    @Test
    void aDomainThatNobodyKnowsIsNotOpen() {
        assertThat(open(spread(1, 0, 0), true)).containsExactly("a", "b");
    }

    @Test
    void domainsThatThePodExcludesDoNotCountForTheLeast() {
        var group = spread(1, 1, 0, 2);
        var withoutB = group.key().allowed(Requirement.in("zone", "a", "c"));

        assertThat(names(group.open(withoutB, true))).containsExactly("a", "b");
    }

    @Test
    void tooFewDomainsCountAsIfOneWereEmpty() {
        var few = counting(group(Kind.SPREAD, "zone", 1, 4), 1, 1, 1);
        var enough = counting(group(Kind.SPREAD, "zone", 1, 3), 1, 1, 1);

        assertThat(open(few, true)).isEmpty();
        assertThat(open(enough, true)).containsExactly("a", "b", "c");
    }

    @Test
    void aSpreadTakesOneOfTheEmptiestThatTheNodeMayHave() {
        assertThat(options(spread(3, 1, 0, 0), "a", "b", "c"))
                .containsExactly(List.of("b"), List.of("c"));
        assertThat(options(spread(3, 1, 2, 2), "b", "c"))
                .containsExactly(List.of("b"), List.of("c"));
        assertThat(options(spread(3, 1, 0, 0), "a")).containsExactly(List.of("a"));
        assertThat(options(spread(1, 1, 0, 0), "a")).isEmpty();
    }

    // Affinity

    @Test
    void anAffinityFollowsItsPods() {
        assertThat(open(affinity(0, 2, 1), true)).containsExactly("b", "c");
        assertThat(open(affinity(0, 2, 1), false)).containsExactly("b", "c");
    }

    @Test
    void theFirstOfAnAffinityMayGoAnywhereIfItCountsItself() {
        assertThat(open(affinity(0, 0, 0), true)).containsExactly("a", "b", "c");
        assertThat(open(affinity(0, 0, 0), false)).isEmpty();
    }

    @Test
    void whoFollowsMayBindToAllAndTheFirstToOne() {
        assertThat(options(affinity(0, 2, 1), "a", "b", "c")).containsExactly(List.of("b", "c"));
        assertThat(options(affinity(0, 0, 0), "b", "c"))
                .containsExactly(List.of("b"), List.of("c"));
    }

    @Test
    void anAntiAffinityLeavesEmptyDomains() {
        assertThat(open(antiAffinity(0, 2, 0), true)).containsExactly("a", "c");
        assertThat(options(antiAffinity(0, 2, 0), "a", "b", "c"))
                .containsExactly(List.of("a", "c"));
    }

    // Hosts

    private static TopologyGroup onHosts(Kind kind, int... places) {
        var group = group(kind, LabelKeys.HOSTNAME, 2, null);
        Arrays.stream(places).forEach(group::recordHost);
        return group;
    }

    private static boolean allows(TopologyGroup group, int place, boolean isSelected) {
        return group.allowsHost(place, HostsAllowed.ALL, isSelected);
    }

    private static HostsAllowed only(int allowed) {
        return new HostsAllowed() {
            @Override
            public boolean allows(int place) {
                return place == allowed;
            }

            @Override
            public boolean allowsName(String host) {
                return host.equals("host-" + allowed);
            }
        };
    }

    @Test
    void aHostTakesSoManyPodsOfASpread() {
        var group = onHosts(Kind.SPREAD, 0, 0, 1);

        assertThat(allows(group, 0, true)).isFalse();
        assertThat(allows(group, 0, false)).isTrue();
        assertThat(allows(group, 1, true)).isTrue();
        assertThat(allows(group, 99, true)).isTrue();
    }

    @Test
    void aHostWithASelectedPodRefusesAnAntiAffinity() {
        assertThat(allows(onHosts(Kind.ANTI_AFFINITY, 5), 5, true)).isFalse();
        assertThat(allows(onHosts(Kind.ANTI_AFFINITY, 5), 4, true)).isTrue();
        assertThat(onHosts(Kind.ANTI_AFFINITY).refusesHostForGood()).isTrue();
        assertThat(onHosts(Kind.AFFINITY).refusesHostForGood()).isFalse();
    }

    @Test
    void anAffinityFollowsToTheHostOfItsPods() {
        var group = onHosts(Kind.AFFINITY, 5);

        assertThat(allows(group, 5, false)).isTrue();
        assertThat(allows(group, 4, true)).isFalse();
        assertThat(group.allowsHost(5, only(4), true)).isFalse();
    }

    @Test
    void theFirstOfAnAffinityStartsWhereItCanFollowNobody() {
        assertThat(allows(onHosts(Kind.AFFINITY), 4, true)).isTrue();
        assertThat(allows(onHosts(Kind.AFFINITY), 4, false)).isFalse();
        assertThat(onHosts(Kind.AFFINITY, 5).allowsHost(4, only(4), true)).isTrue();
    }

    @Test
    void podsOnHostsThatTakeNoneAreFollowedToo() {
        var group = onHosts(Kind.AFFINITY);
        group.recordHostElsewhere("host-4");

        assertThat(group.allowsHost(4, only(4), true)).isFalse();
        assertThat(group.allowsHost(3, only(3), true)).isTrue();
    }

    @Test
    void busyHostsAreThoseWithASelectedPod() {
        var busy = onHosts(Kind.AFFINITY, 3, 3, 70).busyHosts();

        assertThat(Bits.count(busy)).isEqualTo(2);
        assertThat(Bits.has(busy, 3)).isTrue();
        assertThat(Bits.has(busy, 70)).isTrue();
    }

    // Counting

    @Test
    void onlyPodsOfTheNamespaceWithTheLabelsAreSelected() {
        var group = spread(1);

        assertThat(group.selects("default", Map.of("app", "web"))).isTrue();
        assertThat(group.selects("other", Map.of("app", "web"))).isFalse();
        assertThat(group.selects("default", Map.of("app", "api"))).isFalse();
    }

    @Test
    void countsAreByDomain() {
        var group = spread(1, 0, 2);

        assertThat(group.countIn("a")).isZero();
        assertThat(group.countIn("b")).isEqualTo(2);
        assertThat(group.countIn("c")).isNegative();
        assertThat(group.countIn("nowhere")).isNegative();
    }

    @Test
    void aRefusalShowsTheCounts() {
        assertThat(spread(1, 0, 2).refusal(null, Requirement.in("zone", "a")))
                .isEqualTo(
                        new Refusal.Topology(
                                "topology spread",
                                "zone",
                                new TreeMap<>(Map.of("a", 0, "b", 2)),
                                Requirement.exists("zone"),
                                Requirement.in("zone", "a")));
        assertThat(affinity(1).refusal(Requirement.in("zone", "a"), null).kind())
                .isEqualTo("pod affinity");
        assertThat(antiAffinity(1).refusal(null, null).kind()).isEqualTo("pod anti-affinity");
    }
}
