package dev.millwright.providers.aws.network;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.SubnetInfo;
import dev.millwright.providers.aws.cache.TimedCache;
import dev.millwright.providers.aws.network.SubnetOffer.Share;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.nodeclass.SelectorTerm;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The subnets of classes, and how many addresses each has left.
///
/// EC2 counts an address as taken only some time after a launch, so addresses that launches are
/// about to take are deducted here until EC2 has counted anew.
public final class Subnets {

    /// How much longer than the subnets themselves their counts are kept.
    private static final Duration COUNT_LONGER = Duration.ofMinutes(4);

    private static final Duration COUNT_LEAST = Duration.ofMinutes(5);

    private static final Comparator<SubnetInfo> MOST_FREE_FIRST =
            Comparator.comparingInt(SubnetInfo::freeAddresses)
                    .reversed()
                    .thenComparing(SubnetInfo::id);

    private final Ec2Api ec2;
    private final TimedCache<Generation, List<SubnetInfo>> found;
    private final TimedCache<String, Count> counted;
    private final TimedCache<String, String> zoneIds;

    /// What launches leave of a count, by subnet. Guarded by this object's lock.
    private final Map<String, Integer> left = new HashMap<>();

    /// Guarded by this object's lock.
    private long counts;

    /// A class as somebody last changed it.
    private record Generation(String uid, long generation) {}

    /// How many addresses are free; `number` tells one counting from the next.
    private record Count(int free, long number) {}

    /// Of a subnet that nobody has counted.
    private static final Count UNCOUNTED = new Count(0, 0);

    public Subnets(Ec2Api ec2, InstantSource clock, Duration refresh) {
        this.ec2 = ec2;
        this.found = new TimedCache<>(clock, refresh);
        var longer = refresh.plus(COUNT_LONGER);
        var kept = longer.compareTo(COUNT_LEAST) > 0 ? longer : COUNT_LEAST;
        this.counted = new TimedCache<>(clock, kept);
        // A zone's id never changes.
        this.zoneIds = new TimedCache<>(clock, Duration.ofDays(1));
    }

    /// What the class's terms lead to: most free addresses first, then by id.
    public List<SubnetInfo> of(Ec2NodeClass nodeClass) throws AwsFault {
        var meta = nodeClass.meta();
        var key = new Generation(meta.uid(), meta.generation());
        var known = found.find(key);
        if (known != null) {
            return known;
        }
        var byId = new TreeMap<String, SubnetInfo>();
        for (var filters : questions(nodeClass.spec().subnetSelectorTerms())) {
            for (var subnet : ec2.subnets(filters)) {
                byId.put(subnet.id(), subnet);
            }
        }
        var all = byId.values().stream().sorted(MOST_FREE_FIRST).toList();
        if (!all.isEmpty()) {
            // Nothing found is not kept: a subnet that is made now is seen at the next look.
            count(all);
            found.put(key, all);
        }
        return all;
    }

    /// One question for all ids, then one a term of tags. The id wins over tags.
    static List<List<Filter>> questions(List<SelectorTerm.Subnet> terms) {
        var ids = terms.stream().map(SelectorTerm.Subnet::id).flatMap(Given::stream).toList();
        var questions = new ArrayList<List<Filter>>();
        Given.of("subnet-id", ids, questions);
        for (var term : terms) {
            if (term.id() == null && !term.tags().isEmpty()) {
                questions.add(Filter.tags(term.tags()));
            }
        }
        return questions;
    }

    private synchronized void count(List<SubnetInfo> subnets) {
        for (var subnet : subnets) {
            count(subnet.id(), subnet.freeAddresses());
            if (!subnet.zoneId().isEmpty()) {
                zoneIds.put(subnet.zone(), subnet.zoneId());
            }
        }
    }

    private synchronized void count(String id, int free) {
        counts++;
        counted.put(id, new Count(free, counts));
        left.remove(id);
    }

    /// The id of a zone some class has a subnet in; null when none has that we know of.
    public @Nullable String zoneId(String zone) {
        return zoneIds.find(zone);
    }

    /// For each zone of the class's status the subnet with the most addresses left, from which as
    /// many are taken as the smallest of the types that could be launched there needs.
    public synchronized SubnetOffer forLaunch(
            Ec2NodeClass nodeClass, List<InstanceType> types, String capacityType) {
        var best = new LinkedHashMap<String, String>();
        for (var subnet : nodeClass.status().subnets()) {
            best.merge(
                    subnet.zone(),
                    subnet.id(),
                    (earlier, later) -> left(later) > left(earlier) ? later : earlier);
        }
        var byZone = new LinkedHashMap<String, Share>();
        best.forEach(
                (zone, id) -> {
                    var share =
                            new Share(id, counted(id).number(), podsMin(types, zone, capacityType));
                    left.put(id, left(id) - share.deducted());
                    byZone.put(zone, share);
                });
        return new SubnetOffer(byZone);
    }

    private Count counted(String id) {
        var count = counted.find(id);
        return count == null ? UNCOUNTED : count;
    }

    private int left(String id) {
        var less = left.get(id);
        return less == null ? counted(id).free() : less;
    }

    private static int podsMin(List<InstanceType> types, String zone, String capacityType) {
        return types.stream()
                .filter(
                        type ->
                                type.offerings().stream()
                                        .anyMatch(each -> isBought(each, zone, capacityType)))
                .mapToInt(type -> (int) type.capacity().amount(Resources.PODS).units())
                .min()
                .orElse(0);
    }

    private static boolean isBought(Offering offering, String zone, String capacityType) {
        return offering.isAvailable()
                && offering.zone().equals(zone)
                && offering.capacityType().equals(capacityType);
    }

    /// Puts back what was taken from subnets that no instance went to. A subnet that EC2 has
    /// counted anew meanwhile, or that ran out, has nothing to be put back.
    public synchronized void giveBack(SubnetOffer offer, Collection<String> usedSubnetIds) {
        for (var share : offer.byZone().values()) {
            var less = left.get(share.subnetId());
            if (less != null
                    && !usedSubnetIds.contains(share.subnetId())
                    && counted(share.subnetId()).number() == share.counting()) {
                left.put(share.subnetId(), less + share.deducted());
            }
        }
    }

    /// EC2 said that the subnet has no address left.
    public synchronized void exhausted(String subnetId) {
        count(subnetId, 0);
    }

    /// As the class's status tells them.
    public static List<NodeClassStatus.Subnet> told(List<SubnetInfo> subnets) {
        return subnets.stream()
                .map(each -> new NodeClassStatus.Subnet(each.id(), each.zone(), each.zoneId()))
                .toList();
    }
}
