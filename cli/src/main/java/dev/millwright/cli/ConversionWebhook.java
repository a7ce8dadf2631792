package dev.millwright.cli;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.webhook.ConversionServer;
import dev.millwright.kube.webhook.ConversionUpkeep;
import dev.millwright.kube.webhook.ConversionUpkeep.Client;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.process.ProcessSurroundings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/// The conversion webhook of one replica, from its start to its end; nothing at all where it is not
/// asked for. It needs no lease: whoever is asked must answer.
final class ConversionWebhook implements AutoCloseable {

    private static final String SERVICE_DEFAULT = "karpenter";

    /// What runs. The way to the cluster is its own: who waits for a conversion holds the others'.
    private record Running(HttpKubeApi api, ConversionServer server, Thread upkeep) {}

    private final @Nullable Running running;

    private ConversionWebhook(@Nullable Running running) {
        this.running = running;
    }

    static ConversionWebhook none() {
        return new ConversionWebhook(null);
    }

    static ConversionWebhook open(Settings settings, ProcessSurroundings surroundings, Log log)
            throws IOException {
        var wanted = settings.replica().webhook();
        if (!wanted.isServed()) {
            return none();
        }
        var api =
                HttpKubeApi.open(
                        surroundings.access(),
                        settings.kubeClient().apiSettings(surroundings.version()),
                        RequestObserver.NONE);
        var server = ConversionServer.open(api, wanted.port());
        var upkeep =
                new ConversionUpkeep(
                        api,
                        server,
                        place(settings.replica(), api),
                        settings.cloud().provider() == Settings.ProviderName.AWS
                                ? CustomResources.aws()
                                : CustomResources.kwok(),
                        surroundings.clock(),
                        words -> log.info("conversion webhook", "what", words));
        log.info("serving the conversion webhook", "port", server.port());
        var thread = Thread.ofVirtual().name("webhook").start(() -> upkeep.run(Sleeper.system()));
        return new ConversionWebhook(new Running(api, server, thread));
    }

    private static ConversionUpkeep.Place place(Settings.Replica replica, HttpKubeApi api) {
        var namespace =
                replica.systemNamespace().isEmpty() ? api.namespace() : replica.systemNamespace();
        var service = replica.serviceName().isEmpty() ? SERVICE_DEFAULT : replica.serviceName();
        var inside = "%s.%s.svc".formatted(service, namespace);
        var names = new ArrayList<>(List.of(inside, inside + ".cluster.local"));
        var url = replica.webhook().url().replaceFirst("/+$", "");
        if (!url.isEmpty()) {
            names.addFirst(URI.create(url).getHost());
        }
        return new ConversionUpkeep.Place(
                new ObjectName(namespace, service + "-cert"),
                names,
                url.isEmpty()
                        ? new Client.Service(
                                new ObjectName(namespace, service), replica.webhook().port())
                        : new Client.Address(url));
    }

    @Override
    public void close() {
        if (running != null) {
            running.upkeep().interrupt();
            running.server().close();
            running.api().close();
        }
    }
}
