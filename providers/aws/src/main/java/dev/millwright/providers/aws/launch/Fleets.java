package dev.millwright.providers.aws.launch;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.FleetRequest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/// Asks for machines. Requests that are the same but for who asks become one fleet.
public final class Fleets {

    private static final Batcher.Window WINDOW =
            new Batcher.Window(Duration.ofMillis(35), Duration.ofSeconds(1), 1000);

    /// What one asker gets of a fleet.
    sealed interface Share {

        /// Refusals are there even where there is a machine: something was tried in vain before.
        record Machine(String id, FleetAnswer.Choice choice, List<FleetAnswer.Refusal> refusals)
                implements Share {}

        record Nothing(List<FleetAnswer.Refusal> refusals) implements Share {}

        /// EC2 did not take the request.
        record Failed(AwsFault fault) implements Share {}
    }

    private final Ec2Api ec2;
    private final Batcher<FleetRequest, Share> batcher;

    public Fleets(Ec2Api ec2, Executor executor, Instances.Listener listener) {
        this.ec2 = ec2;
        this.batcher =
                new Batcher<>(
                        WINDOW,
                        Fleets::bucket,
                        this::create,
                        executor,
                        (count, open) -> listener.asked("create_fleet", count, open));
    }

    Share ask(FleetRequest request) {
        return batcher.ask(request);
    }

    private record Bucket(FleetRequest rest, Set<Config> configs) {}

    private record Config(String template, Set<FleetRequest.Override> overrides) {}

    /// The whole request; in which order its choices stand does not matter.
    private static Object bucket(FleetRequest request) {
        var configs = new HashSet<Config>();
        for (var config : request.configs()) {
            configs.add(new Config(config.templateName(), new HashSet<>(config.overrides())));
        }
        var rest =
                new FleetRequest(
                        request.instances(),
                        request.defaultType(),
                        request.spotAllocation(),
                        request.onDemandAllocation(),
                        request.reservationTypes(),
                        request.context(),
                        request.tags(),
                        List.of(),
                        null);
        return new Bucket(rest, configs);
    }

    private List<Share> create(List<FleetRequest> requests) {
        var shares = new ArrayList<Share>();
        try {
            var answer = ec2.createFleet(requests.getFirst().withInstances(requests.size()));
            for (var launched : answer.launched()) {
                for (var id : launched.ids()) {
                    if (shares.size() < requests.size()) {
                        shares.add(new Share.Machine(id, launched.choice(), answer.refusals()));
                    }
                }
            }
            while (shares.size() < requests.size()) {
                shares.add(new Share.Nothing(answer.refusals()));
            }
        } catch (AwsFault fault) {
            requests.forEach(_ -> shares.add(new Share.Failed(fault)));
        }
        return shares;
    }
}
