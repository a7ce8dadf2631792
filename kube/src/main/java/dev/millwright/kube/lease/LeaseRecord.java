package dev.millwright.kube.lease;

import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// What a Lease says: who holds it, and how long others must see it unchanged before they may take
/// it. Its times are those of the holder's clock; nobody else reckons with them.
public record LeaseRecord(
        String holder,
        long durationSeconds,
        long transitions,
        String acquireTime,
        String resourceVersion) {

    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    static String text(Instant time) {
        return MICRO_TIME.format(time);
    }

    /// What a Lease lacks counts as empty or zero, which anybody may take.
    public static LeaseRecord of(Value.Mapping lease) {
        var spec =
                lease.fields().get("spec") instanceof Value.Mapping mapping
                        ? mapping
                        : Tree.of().mapping();
        return new LeaseRecord(
                text(spec, "holderIdentity"),
                number(spec, "leaseDurationSeconds"),
                number(spec, "leaseTransitions"),
                text(spec, "acquireTime"),
                Metadata.text(lease, "resourceVersion"));
    }

    private static String text(Value.Mapping spec, String field) {
        return spec.fields().get(field) instanceof Value.Text(_, var text) ? text : "";
    }

    private static long number(Value.Mapping spec, String field) {
        try {
            return spec.fields().get(field) instanceof Value.Numeral(_, var text)
                    ? Long.parseLong(text)
                    : 0;
        } catch (NumberFormatException notWhole) {
            return 0;
        }
    }

    Tree spec(Instant renewTime) {
        return Tree.of("holderIdentity", holder)
                .put("leaseDurationSeconds", durationSeconds)
                .put("acquireTime", acquireTime)
                .put("renewTime", text(renewTime))
                .put("leaseTransitions", transitions);
    }
}
