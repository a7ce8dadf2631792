package dev.millwright.world.happening;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Something that happened in a world. The log, the invariants and the demo see nothing else.
///
/// `by` names who did it: `user`, `kubelet`, `scheduler`; `a/provisioner` for a controller of the
/// operator's replica `a`.
public sealed interface Happening {

    Instant at();

    /// An object came (no before), changed, or went (no after).
    record Changed(
            Instant at,
            String by,
            ResourceType type,
            Value.@Nullable Mapping before,
            Value.@Nullable Mapping after)
            implements Happening {}

    /// An eviction was asked for, and this is what the server said.
    record Evicted(Instant at, String by, ObjectName pod, String uid, ApiAnswer answer)
            implements Happening {}

    /// The cloud was asked, and this is what it answered, whether or not anybody heard it.
    record Asked(Instant at, String by, String call, String claim, String uid, String answer)
            implements Happening {}

    /// A machine runs, whoever knows of it.
    record Started(Instant at, Machine machine, MachineClaim claim) implements Happening {}

    record Noticed(Instant at, String providerId, Instant endsAt) implements Happening {}

    record Stopped(Instant at, String providerId, String cause) implements Happening {}

    /// A replica began or ceased to lead, as it believes itself.
    record Led(Instant at, String replica, boolean leads) implements Happening {}

    /// A replica sent a change out.
    record Acted(Instant at, String replica, String controller, String what) implements Happening {}

    record Said(Instant at, String replica, LogLevel level, String message, List<Object> keyValues)
            implements Happening {
        public Said {
            keyValues = List.copyOf(keyValues);
        }
    }

    /// A replica decided something, whatever comes of it.
    record Decided(Instant at, String replica, Deliberation deliberation) implements Happening {}

    record Published(Instant at, String replica, KubeEvent event) implements Happening {}

    /// A fault was injected.
    record Struck(Instant at, String fault, String what) implements Happening {}
}
