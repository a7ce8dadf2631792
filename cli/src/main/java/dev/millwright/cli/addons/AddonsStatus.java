package dev.millwright.cli.addons;

import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.ReleaseReading;
import dev.millwright.addons.port.Storage.Look;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/// The release of one proxy on one cluster, as its objects and, where it was asked, the cluster
/// itself say.
///
/// @param release its name is empty while there is no release proxy
/// @param wanted the chart's version that the proxy names; empty for the newest
/// @param deployed null where nobody asked, or nobody answered
/// @param helmStatus Helm's word
/// @param message what is wrong; empty when nothing is
public record AddonsStatus(
        String namespace,
        String proxy,
        String cluster,
        ReleaseId release,
        String chart,
        String wanted,
        @Nullable String deployed,
        long revision,
        String helmStatus,
        boolean isReady,
        String reason,
        String message,
        @Nullable Instant createdAt) {

    /// Clusters that are asked at once.
    private static final int ASKED_AT_ONCE = 16;

    private static final Comparator<AddonsStatus> ORDER =
            Comparator.comparing(AddonsStatus::namespace)
                    .thenComparing(AddonsStatus::proxy)
                    .thenComparing(AddonsStatus::cluster);

    /// @param reading null asks the management cluster alone
    public static List<AddonsStatus> of(AddonsEstate estate, @Nullable ReleaseReading reading) {
        var proxies = estate.releases().stream().map(ReleaseProxy::of).toList();
        var deployed = reading == null ? Map.<String, String>of() : deployed(proxies, reading);
        var all = new ArrayList<AddonsStatus>();
        for (var proxy : proxies) {
            all.add(of(proxy, deployed.get(proxy.name().toString())));
        }
        for (var chart : estate.charts()) {
            all.addAll(waiting(chart, proxies));
        }
        all.sort(ORDER);
        return all;
    }

    private static AddonsStatus of(ReleaseProxy proxy, @Nullable String deployed) {
        var trouble = AddonsChange.Held.of(proxy);
        var isReady = proxy.isReady();
        return new AddonsStatus(
                proxy.name().namespace(),
                proxy.chartProxy(),
                proxy.cluster().name(),
                new ReleaseId(proxy.namespace(), proxy.releaseName()),
                proxy.source().chart(),
                proxy.source().version(),
                deployed,
                proxy.revision(),
                proxy.object().status().at("status").text(""),
                isReady,
                proxy.meta().isDeleting() ? "Deleting" : isReady ? "" : trouble.reason(),
                isReady ? "" : trouble.message(),
                proxy.meta().createdAt());
    }

    /// Clusters that are selected and have no release proxy yet.
    private static List<AddonsStatus> waiting(RawObject object, List<ReleaseProxy> proxies) {
        var chart = ChartProxy.of(object);
        var condition = object.conditions().find(AddonConditions.SPECS_UP_TO_DATE);
        var waiting = new ArrayList<AddonsStatus>();
        for (var each : object.status().at("matchingClusters").elements()) {
            var cluster = each.at("name").text("");
            var isThere =
                    proxies.stream()
                            .anyMatch(
                                    proxy ->
                                            proxy.name()
                                                            .namespace()
                                                            .equals(chart.name().namespace())
                                                    && proxy.chartProxy()
                                                            .equals(chart.name().name())
                                                    && proxy.cluster().name().equals(cluster));
            if (!isThere) {
                waiting.add(
                        new AddonsStatus(
                                chart.name().namespace(),
                                chart.name().name(),
                                cluster,
                                new ReleaseId(chart.namespace(), chart.releaseName()),
                                chart.source().chart(),
                                chart.source().version(),
                                null,
                                0,
                                "",
                                false,
                                condition == null ? "" : condition.reason(),
                                condition == null ? "" : condition.message(),
                                null));
            }
        }
        return waiting;
    }

    /// The deployed versions by the release proxies' names, of those clusters that answer.
    private static Map<String, String> deployed(
            List<ReleaseProxy> proxies, ReleaseReading reading) {
        var byCluster = new TreeMap<String, List<ReleaseProxy>>();
        for (var proxy : proxies) {
            byCluster
                    .computeIfAbsent(proxy.cluster().toString(), _ -> new ArrayList<>())
                    .add(proxy);
        }
        var found = new ConcurrentHashMap<String, String>();
        try (var threads =
                Executors.newFixedThreadPool(
                        ASKED_AT_ONCE, Thread.ofPlatform().daemon().factory())) {
            byCluster.values().forEach(each -> threads.execute(() -> ask(each, reading, found)));
        }
        return found;
    }

    /// A cluster that does not answer is asked once.
    private static void ask(
            List<ReleaseProxy> proxies, ReleaseReading reading, Map<String, String> found) {
        if (!(reading.releases(proxies.getFirst().cluster()) instanceof Look.Seen seen)) {
            return;
        }
        for (var proxy : proxies) {
            var stored = seen.find(new ReleaseId(proxy.namespace(), proxy.releaseName()));
            if (stored != null
                    && reading.contents(proxy.cluster(), stored.id(), stored.revision())
                            instanceof ReleaseReading.Answer.Found(var contents)) {
                found.put(proxy.name().toString(), contents.chartVersion());
            }
        }
    }
}
