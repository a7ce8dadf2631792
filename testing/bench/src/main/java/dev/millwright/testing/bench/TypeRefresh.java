package dev.millwright.testing.bench;

import static dev.millwright.testing.kit.aws.ClassFactsDraft.facts;

import com.sun.management.OperatingSystemMXBean;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.instancetype.DiscoveredMemory;
import dev.millwright.providers.aws.instancetype.KnownTypes;
import dev.millwright.providers.aws.instancetype.TypeSettings;
import dev.millwright.providers.aws.instancetype.TypeTables;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.ZonalShifts;
import dev.millwright.providers.aws.offering.LiveNews;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.providers.aws.pricing.PriceBook;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/// What it costs to ask EC2 for all its types, zones and prices over HTTP and to make a class's
/// catalogue of them: time of the process's CPUs and heap. The endpoint is a process of its own and
/// not counted. See `testing/bench/types.sh`, which also bounds the heap.
///
/// The first round is what a process pays at its start, with classes to load and nothing compiled;
/// the later ones are what it pays twice a day.
public final class TypeRefresh {

    private static final int ROUNDS = 5;
    private static final int CLASSES = 10;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEBIBYTE = 1 << 20;

    private final SdkClients clients;
    private final KnownTypes types = new KnownTypes(TypeTables.load());
    private final PriceBook prices = new PriceBook(new PriceBook.Market(AwsEndpoint.REGION, false));
    private final UnavailableOfferings unavailable = new UnavailableOfferings();
    private final TypeCatalogue catalogue;
    private final ClassFacts facts = facts().build();

    private TypeRefresh(SdkClients clients) {
        this.clients = clients;
        var news =
                new LiveNews(
                        ZonalShifts.unheeded(),
                        new CapacityReservations(clients.ec2(), InstantSource.system()),
                        new View(new ObjectReader(Ec2Labels.VOCABULARY), List.of(), List.of()));
        this.catalogue =
                new TypeCatalogue(
                        new TypeSettings(AwsEndpoint.REGION),
                        new TypeCatalogue.Sources(
                                types, new DiscoveredMemory(), prices, unavailable, news));
    }

    public static void main(String[] arguments) {
        var endpoint = AwsEndpoint.shared();
        endpoint.fixture();
        endpoint.forgetCalls();
        System.out.println("round  what                 CPU s  heap peak MiB  heap kept MiB");
        for (var round = 1; round <= ROUNDS; round++) {
            try (var clients = endpoint.sdkClients()) {
                var run = new TypeRefresh(clients);
                measure(round, "types and zones", run::askTypes);
                measure(round, "prices", run::askPrices);
                measure(round, "catalogue", run::makeCatalogue);
                measure(round, "one type refused", run::refuseOne);
                measure(round, "the same again", run::makeCatalogue);
                measure(round, "ten more classes", run::makeMore);
            }
        }
        System.out.println("calls in %d rounds: %s".formatted(ROUNDS, endpoint.calls()));
        System.exit(0);
    }

    private String askTypes() {
        var faults = types.refresh(clients.ec2());
        if (!faults.isEmpty()) {
            throw new IllegalStateException(faults.toString());
        }
        return types.picture().types().size() + " types";
    }

    private String askPrices() {
        var onDemand = prices.acceptOnDemand(prices.onDemandAnswer(clients.pricing()));
        var spot = prices.acceptSpot(prices.spotAnswer(clients.ec2(), Instant.now()));
        if (onDemand != null || spot != null) {
            throw new IllegalStateException(onDemand + ", " + spot);
        }
        return prices.prices().onDemand().size() + " prices";
    }

    private String makeCatalogue() {
        return switch (catalogue.types(facts, Instant.now())) {
            case CatalogAnswer.Types(var made) ->
                    made.stream().mapToInt(type -> type.offerings().size()).sum() + " offerings";
            case CatalogAnswer.Failed(var message) -> throw new IllegalStateException(message);
            case CatalogAnswer.Unevaluated() -> throw new IllegalStateException("not evaluated");
        };
    }

    private String makeMore() {
        var made = 0;
        for (var pods = 1; pods <= CLASSES; pods++) {
            var another = facts().maxPods(pods).build();
            if (catalogue.types(another, Instant.now()) instanceof CatalogAnswer.Types) {
                made++;
            }
        }
        return made + " classes";
    }

    private String refuseOne() {
        unavailable.mark("spot", "m5.large", "us-east-1a", Instant.now());
        return makeCatalogue();
    }

    @FunctionalInterface
    private interface Work {
        String done();
    }

    private static void measure(int round, String what, Work work) {
        // The peak is of what is measured, not of what lay about before.
        System.gc();
        pools().forEach(MemoryPoolMXBean::resetPeakUsage);
        var before = cpuNanos();
        var result = work.done();
        var spent = cpuNanos() - before;
        var peak = pools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        System.gc();
        var kept = pools().stream().mapToLong(pool -> pool.getUsage().getUsed()).sum();
        System.out.printf(
                Locale.ROOT,
                "%5d  %-18s %7.2f %14.1f %14.1f  %s%n",
                round,
                what,
                spent / NANOS_PER_SECOND,
                peak / BYTES_PER_MEBIBYTE,
                kept / BYTES_PER_MEBIBYTE,
                result);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static List<MemoryPoolMXBean> pools() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }
}
