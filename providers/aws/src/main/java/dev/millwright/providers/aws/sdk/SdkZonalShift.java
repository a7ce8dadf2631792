package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.ZonalShiftApi;

import software.amazon.awssdk.services.arczonalshift.ArcZonalShiftClient;

import java.util.List;

final class SdkZonalShift implements ZonalShiftApi {

    private final ArcZonalShiftClient client;

    SdkZonalShift(ArcZonalShiftClient client) {
        this.client = client;
    }

    @Override
    public List<Shift> shifts(String clusterArn) throws AwsFault {
        var answer =
                Translation.ask(
                        () -> client.getManagedResource(r -> r.resourceIdentifier(clusterArn)));
        return answer.zonalShifts().stream()
                .map(
                        found ->
                                new Shift(
                                        found.awayFrom(),
                                        Absent.text(found.appliedStatusAsString()),
                                        found.expiryTime()))
                .toList();
    }
}
