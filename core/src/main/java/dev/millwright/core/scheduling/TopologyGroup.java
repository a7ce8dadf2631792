package dev.millwright.core.scheduling;

import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Counts the selected pods by domain, for all pods that state the same constraint.
///
/// Host names are counted by the place of the node in the pass, since every node is a domain of its
/// own.
final class TopologyGroup {

    enum Kind {
        SPREAD("topology spread"),
        AFFINITY("pod affinity"),
        ANTI_AFFINITY("pod anti-affinity");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /// What makes two constraints the same. The least number of domains is not part of it, as with
    /// Karpenter.
    record Identity(
            Kind kind,
            String key,
            List<String> namespaces,
            @Nullable Selector selector,
            int maxSkew,
            NodeFilter filter) {}

    private static final int UNKNOWN = -1;
    private static final int DOMAINS_SHOWN_MAX = 25;

    private final Identity identity;
    private final int number;
    private final TopologyKey key;
    private final @Nullable Integer minDomains;
    private int[] counts = {};
    private int[] hostCounts = {};
    private long[] busyHosts = Bits.EMPTY;
    private int busy;
    private final SequencedMap<String, Integer> hostsElsewhere = new TreeMap<>();

    TopologyGroup(Identity identity, int number, TopologyKey key, @Nullable Integer minDomains) {
        this.identity = identity;
        this.number = number;
        this.key = key;
        this.minDomains = minDomains;
    }

    Identity identity() {
        return identity;
    }

    /// The group's place in the list of its pass.
    int number() {
        return number;
    }

    TopologyKey key() {
        return key;
    }

    Kind kind() {
        return identity.kind();
    }

    boolean isHostname() {
        return key.isHostname();
    }

    boolean selects(String namespace, Map<String, String> labels) {
        return identity.selector() != null
                && identity.namespaces().contains(namespace)
                && identity.selector().matches(labels);
    }

    void know(int domain) {
        if (count(domain) == UNKNOWN) {
            set(domain, 0);
        }
    }

    void record(int domain) {
        var before = Math.max(count(domain), 0);
        busy += before == 0 ? 1 : 0;
        set(domain, before + 1);
    }

    private int count(int domain) {
        return domain < counts.length ? counts[domain] : UNKNOWN;
    }

    private void set(int domain, int count) {
        if (domain >= counts.length) {
            var length = counts.length;
            counts = Arrays.copyOf(counts, Math.max(domain + 1, key.size()));
            Arrays.fill(counts, length, counts.length, UNKNOWN);
        }
        counts[domain] = count;
    }

    void recordHost(int place) {
        if (place >= hostCounts.length) {
            hostCounts = Arrays.copyOf(hostCounts, Math.max(place + 1, hostCounts.length * 2));
        }
        if (hostCounts[place]++ == 0) {
            busy++;
            busyHosts = Bits.with(busyHosts, place);
        }
    }

    /// Counts a pod on a host that takes no pods in this pass.
    void recordHostElsewhere(String host) {
        if (hostsElsewhere.merge(host, 1, Integer::sum) == 1) {
            busy++;
        }
    }

    /// How many selected pods the domain has; negative where it is none of the group's.
    int countIn(String domain) {
        var number = key.find(domain);
        return number < 0 ? UNKNOWN : count(number);
    }

    private int hostCount(int place) {
        return place < hostCounts.length ? hostCounts[place] : 0;
    }

    /// Places with a selected pod. Callers do not change it.
    long[] busyHosts() {
        return busyHosts;
    }

    /// Whether the pod may go to this host.
    ///
    /// @param allowed the hosts the pod allows
    /// @param isSelected whether the group counts the pod itself
    boolean allowsHost(int place, HostsAllowed allowed, boolean isSelected) {
        return switch (kind()) {
            case SPREAD -> hostCount(place) + (isSelected ? 1 : 0) <= identity.maxSkew();
            case ANTI_AFFINITY -> hostCount(place) == 0;
            case AFFINITY ->
                    allowed.allows(place)
                            && (hostCount(place) > 0 || startsHosts(allowed, isSelected));
        };
    }

    /// Whether a refusal by [#allowsHost] holds for the rest of the pass: counts only grow.
    boolean refusesHostForGood() {
        return kind() != Kind.AFFINITY;
    }

    /// Whether the pod may be the first of its affinity group: it selects itself, and no host it
    /// could follow to has one.
    boolean startsHosts(HostsAllowed allowed, boolean isSelected) {
        if (!isSelected) {
            return false;
        }
        if (busy == 0) {
            return true;
        }
        for (var place = Bits.next(busyHosts, 0);
                place >= 0;
                place = Bits.next(busyHosts, place + 1)) {
            if (allowed.allows(place)) {
                return false;
            }
        }
        return hostsElsewhere.keySet().stream().noneMatch(allowed::allowsName);
    }

    /// Which hosts a pod's own requirements allow.
    interface HostsAllowed {
        HostsAllowed ALL =
                new HostsAllowed() {
                    @Override
                    public boolean allows(int place) {
                        return true;
                    }

                    @Override
                    public boolean allowsName(String host) {
                        return true;
                    }
                };

        boolean allows(int place);

        boolean allowsName(String host);
    }

    /// Domains where the pod may go by the counts, whatever the node. An empty set refuses every
    /// node.
    long[] open(long[] podDomains, boolean isSelected) {
        return switch (kind()) {
            case SPREAD -> evenlySpread(podDomains, isSelected);
            case AFFINITY -> withCompany(podDomains, isSelected);
            case ANTI_AFFINITY -> keep(podDomains, count -> count == 0);
        };
    }

    private long[] evenlySpread(long[] podDomains, boolean isSelected) {
        var least = least(podDomains);
        var self = isSelected ? 1 : 0;
        var result = Bits.ofSize(counts.length);
        for (var domain = 0; domain < counts.length; domain++) {
            if (counts[domain] != UNKNOWN
                    && (long) counts[domain] + self - least <= identity.maxSkew()) {
                Bits.with(result, domain);
            }
        }
        return result;
    }

    private long least(long[] podDomains) {
        var least = (long) Integer.MAX_VALUE;
        var supported = 0;
        for (var domain = 0; domain < counts.length; domain++) {
            if (counts[domain] != UNKNOWN && Bits.has(podDomains, domain)) {
                supported++;
                least = Math.min(least, counts[domain]);
            }
        }
        return minDomains != null && supported < minDomains ? 0 : least;
    }

    private long[] withCompany(long[] podDomains, boolean isSelected) {
        var followed = keep(podDomains, count -> count > 0);
        if (!Bits.isEmpty(followed) || !isSelected) {
            return followed;
        }
        return keep(podDomains, count -> count >= 0);
    }

    private long[] keep(long[] podDomains, java.util.function.IntPredicate condition) {
        var result = Bits.ofSize(counts.length);
        for (var domain = 0; domain < counts.length; domain++) {
            if (counts[domain] != UNKNOWN
                    && Bits.has(podDomains, domain)
                    && condition.test(counts[domain])) {
                Bits.with(result, domain);
            }
        }
        return result;
    }

    /// The domains the pod may bind the node to, out of those open to it that the node may have;
    /// each entry is one way, all equally good. Spread takes one of the emptiest, the first of an
    /// affinity group takes any one, in order of name.
    List<long[]> options(long[] open, long[] nodeDomains) {
        var possible = Bits.and(open, nodeDomains);
        if (Bits.isEmpty(possible)) {
            return List.of();
        }
        return switch (kind()) {
            case ANTI_AFFINITY -> List.of(possible);
            case AFFINITY ->
                    counts[Bits.next(possible, 0)] > 0 ? List.of(possible) : singles(possible);
            case SPREAD -> singles(emptiest(possible));
        };
    }

    private long[] emptiest(long[] possible) {
        var least = Integer.MAX_VALUE;
        for (var domain = Bits.next(possible, 0);
                domain >= 0;
                domain = Bits.next(possible, domain + 1)) {
            least = Math.min(least, counts[domain]);
        }
        var result = Bits.ofSize(counts.length);
        for (var domain = Bits.next(possible, 0);
                domain >= 0;
                domain = Bits.next(possible, domain + 1)) {
            if (counts[domain] == least) {
                Bits.with(result, domain);
            }
        }
        return result;
    }

    private List<long[]> singles(long[] domains) {
        var numbers = new ArrayList<Integer>();
        for (var domain = Bits.next(domains, 0);
                domain >= 0;
                domain = Bits.next(domains, domain + 1)) {
            numbers.add(domain);
        }
        if (numbers.size() == 1) {
            return List.of(domains);
        }
        numbers.sort(Comparator.comparing(key::domain));
        return numbers.stream().map(key::single).toList();
    }

    /// Why the group leaves no domain.
    Refusal.Topology refusal(@Nullable Requirement podDomains, @Nullable Requirement nodeDomains) {
        SequencedMap<String, Integer> shown = new TreeMap<>();
        for (var domain = 0; domain < counts.length && shown.size() < DOMAINS_SHOWN_MAX; domain++) {
            if (counts[domain] != UNKNOWN) {
                shown.put(key.domain(domain), counts[domain]);
            }
        }
        return new Refusal.Topology(
                kind().text(),
                key.name(),
                shown,
                podDomains == null ? Requirement.exists(key.name()) : podDomains,
                nodeDomains == null ? Requirement.exists(key.name()) : nodeDomains);
    }
}
