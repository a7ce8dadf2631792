package dev.millwright.providers.aws.interruption;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a message of the queue says.
///
/// @param instanceIds whom it concerns; there are none when it is about nothing of ours
/// @param at when it happened; null when the message does not say so
/// @param origin where it happened
record Message(Kind kind, List<String> instanceIds, @Nullable Instant at, MessageOrigin origin) {

    private static final Message NOTHING = new Message(Kind.NO_OP, List.of(), null);

    private static final Set<String> ENDING_STATES =
            Set.of("stopping", "stopped", "shutting-down", "terminated");

    private static final Set<String> STOPPING_STATES = Set.of("stopping", "stopped");

    /// The text is not what EventBridge sends.
    static final class Unreadable extends Exception {

        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message);
        }
    }

    Message {
        instanceIds = List.copyOf(instanceIds);
    }

    private Message(Kind kind, List<String> instanceIds, @Nullable Instant at) {
        this(kind, instanceIds, at, MessageOrigin.UNKNOWN);
    }

    private Message from(MessageOrigin found) {
        return new Message(kind, instanceIds, at, found);
    }

    /// Everything the account's rules match comes here; what we do not know is about nothing.
    ///
    /// @throws Unreadable when the text is no JSON object
    static Message parse(String text) throws Unreadable {
        if (text.isEmpty()) {
            return NOTHING;
        }
        Value.Mapping envelope;
        try {
            envelope = JsonReader.object(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException fault) {
            throw new Unreadable("is not a JSON object: " + fault.getMessage());
        }
        if (!"0".equals(envelope.text("version"))
                || !(envelope.fields().get("detail") instanceof Value.Mapping detail)) {
            return NOTHING;
        }
        return read(envelope, detail)
                .from(MessageOrigin.of(envelope.text("account"), envelope.text("region")));
    }

    private static Message read(Value.Mapping envelope, Value.Mapping detail) {
        var at = instant(envelope.text("time"));
        var source = String.valueOf(envelope.text("source"));
        var type = String.valueOf(envelope.text("detail-type"));
        return switch (source + "/" + type) {
            case "aws.ec2/EC2 Spot Instance Interruption Warning" ->
                    one(Kind.SPOT_INTERRUPTED, detail, at);
            case "aws.ec2/EC2 Instance Rebalance Recommendation" ->
                    one(Kind.REBALANCE_RECOMMENDATION, detail, at);
            case "aws.ec2/EC2 Capacity Reservation Instance Interruption Warning" ->
                    one(Kind.CAPACITY_RESERVATION_INTERRUPTED, detail, at);
            case "aws.ec2/EC2 Instance State-change Notification" -> stateChange(detail, at);
            case "aws.health/AWS Health Event" -> health(detail, at);
            default -> NOTHING;
        };
    }

    private static Message one(Kind kind, Value.Mapping detail, @Nullable Instant at) {
        var id = detail.text("instance-id");
        return new Message(kind, id == null ? List.of() : List.of(id), at);
    }

    /// Both ways the pods leave; only the name that EC2 writes in small letters is told as a stop.
    private static Message stateChange(Value.Mapping detail, @Nullable Instant at) {
        var stated = detail.text("state");
        if (stated == null || !ENDING_STATES.contains(stated.toLowerCase(Locale.ROOT))) {
            return NOTHING;
        }
        return one(
                STOPPING_STATES.contains(stated) ? Kind.INSTANCE_STOPPED : Kind.INSTANCE_TERMINATED,
                detail,
                at);
    }

    private static Message health(Value.Mapping detail, @Nullable Instant at) {
        var isForUs =
                "EC2".equals(detail.text("service"))
                        && "scheduledChange".equals(detail.text("eventTypeCategory"));
        if (!isForUs) {
            return NOTHING;
        }
        var ids = new ArrayList<String>();
        if (detail.fields().get("affectedEntities") instanceof Value.Sequence entities) {
            for (var entity : entities.elements()) {
                if (entity instanceof Value.Mapping mapping) {
                    var id = mapping.text("entityValue");
                    if (id != null) {
                        ids.add(id);
                    }
                }
            }
        }
        return new Message(Kind.SCHEDULED_CHANGE, ids, at);
    }

    private static @Nullable Instant instant(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            return null;
        }
    }
}
