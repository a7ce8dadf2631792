package dev.millwright.providers.aws.instancetype;

import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.InstanceTypeInfo;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// All types of the region as EC2 last told them. Many read; whoever refreshes puts a new picture
/// in as a whole.
public final class KnownTypes {

    /// @param version another number whenever anything changed
    /// @param zones of all types together
    public record Picture(
            long version, SequencedMap<String, KnownType> types, SequencedSet<String> zones) {

        static final Picture NOTHING = new Picture(0, new TreeMap<>(), new TreeSet<>());

        public Picture {
            types = Collections.unmodifiableSequencedMap(new TreeMap<>(types));
            zones = Collections.unmodifiableSequencedSet(new TreeSet<>(zones));
        }
    }

    private static final String NONE_TOLD = "EC2 told none; the last ones are kept";

    private final TypeTables tables;
    private List<InstanceTypeInfo> infos = List.of();
    private SequencedMap<String, SortedSet<String>> zonesByType = new TreeMap<>();
    private volatile Picture picture = Picture.NOTHING;

    public KnownTypes(TypeTables tables) {
        this.tables = tables;
    }

    public Picture picture() {
        return picture;
    }

    /// Asks both questions and takes in what was answered.
    ///
    /// @return why something is as old as before; empty when all is new
    public List<String> refresh(Ec2Api ec2) {
        return Stream.of(
                        acceptTypes(Asked.of(ec2::instanceTypes)),
                        acceptZones(Asked.of(ec2::zonesByType)))
                .filter(Objects::nonNull)
                .toList();
    }

    /// What failed or came back empty stays as it was: no region sells nothing.
    ///
    /// @return why all is as old as before, or null when it is new
    public synchronized @Nullable String acceptTypes(Asked<List<InstanceTypeInfo>> answer) {
        return switch (answer) {
            case Asked.Refused<List<InstanceTypeInfo>>(var fault) ->
                    "instance types: " + fault.text();
            case Asked.Told<List<InstanceTypeInfo>>(var told) when told.isEmpty() ->
                    "instance types: " + NONE_TOLD;
            case Asked.Told<List<InstanceTypeInfo>>(var told) -> {
                infos = List.copyOf(told);
                renew();
                yield null;
            }
        };
    }

    /// As [#acceptTypes], of the zones in which each type is offered.
    public synchronized @Nullable String acceptZones(
            Asked<SequencedMap<String, SortedSet<String>>> answer) {
        return switch (answer) {
            case Asked.Refused<SequencedMap<String, SortedSet<String>>>(var fault) ->
                    "instance type offerings: " + fault.text();
            case Asked.Told<SequencedMap<String, SortedSet<String>>>(var told)
                    when told.isEmpty() ->
                    "instance type offerings: " + NONE_TOLD;
            case Asked.Told<SequencedMap<String, SortedSet<String>>>(var told) -> {
                zonesByType = new TreeMap<>(told);
                renew();
                yield null;
            }
        };
    }

    private void renew() {
        var types = new TreeMap<String, KnownType>();
        var all = new TreeSet<String>();
        zonesByType.values().forEach(all::addAll);
        for (var info : infos) {
            var zones = zonesByType.get(info.name());
            types.put(
                    info.name(),
                    KnownType.of(info, zones == null ? new TreeSet<>() : zones, tables));
        }
        if (!picture.types().equals(types) || !picture.zones().equals(all)) {
            picture = new Picture(picture.version() + 1, types, all);
        }
    }
}
