package dev.millwright.world.scenario;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.time.Agenda;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Plays a script.
public final class Users {

    /// How users reach the world: by the API server and, for images, the cloud.
    ///
    /// @param write answers are not waited for: a user who is refused does something else
    /// @param nodes the names of all nodes, sorted
    public record Reach(
            Consumer<ApiWrite> write, Supplier<List<ObjectName>> nodes, Consumer<String> publish) {}

    private final Reach reach;

    public Users(Reach reach) {
        this.reach = reach;
    }

    /// Does at once what is there at the start, and books the rest.
    public void play(Script script, Agenda agenda) {
        var start = agenda.instant();
        for (var line : script.lines()) {
            if (line.at().isZero()) {
                act(line.deed());
            } else {
                book(line, start, agenda);
            }
        }
    }

    private void book(Line line, Instant start, Agenda agenda) {
        agenda.at(start.plus(line.at()), () -> act(line.deed()));
    }

    private void act(Deed deed) {
        switch (deed) {
            case Deed.Create(var type, var namespace, var body) ->
                    reach.write().accept(new ApiWrite.Create(type, namespace, body));
            case Deed.Change(var type, var name, var patch) ->
                    reach.write()
                            .accept(
                                    new ApiWrite.Patch(
                                            type, name, PatchKind.MERGE, Subresource.NONE, patch));
            case Deed.Delete(var type, var name) ->
                    reach.write().accept(new ApiWrite.Delete(type, name, null, null));
            case Deed.DeleteNode(var place) -> {
                var nodes = reach.nodes().get();
                if (!nodes.isEmpty()) {
                    reach.write()
                            .accept(
                                    new ApiWrite.Delete(
                                            ResourceType.NODE,
                                            nodes.get(place % nodes.size()),
                                            null,
                                            null));
                }
            }
            case Deed.Publish(var image) -> reach.publish().accept(image);
        }
    }
}
