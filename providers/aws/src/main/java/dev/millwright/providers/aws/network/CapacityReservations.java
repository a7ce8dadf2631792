package dev.millwright.providers.aws.network;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.ReservationInfo;
import dev.millwright.providers.aws.cache.TimedCache;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.CapacityReservation;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationState;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationType;
import dev.millwright.providers.aws.nodeclass.SelectorTerm;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeMap;

/// The capacity reservations of classes, and how many instances each has room for.
///
/// EC2 counts a launch only some time after it, so launches are counted here until EC2 is asked
/// again.
public final class CapacityReservations {

    /// How long before its end a capacity block takes nothing new. EC2 takes its instances away ten
    /// minutes later.
    public static final Duration EXPIRING = Duration.ofMinutes(40);

    private static final Duration REFRESH = Duration.ofMinutes(1);
    private static final Duration COUNT_KEPT = Duration.ofHours(24);
    private static final String ACTIVE = "active";
    private static final List<String> MATCH_CRITERIA = List.of("open", "targeted");

    private final Ec2Api ec2;
    private final InstantSource clock;
    private final TimedCache<Question, List<ReservationInfo>> found;
    private final TimedCache<String, Room> rooms;

    /// By id, or by filters where there is none.
    record Question(@Nullable String id, List<Filter> filters) {}

    private record Room(int available, Instant syncedAt) {
        Room with(int available) {
            return new Room(Math.max(0, available), syncedAt);
        }
    }

    /// @param reservations by id, as the class's status tells them
    /// @param oddities reservations that were left out because EC2 says of them what we do not know
    public record Found(List<CapacityReservation> reservations, List<String> oddities) {
        public Found {
            reservations = List.copyOf(reservations);
            oddities = List.copyOf(oddities);
        }
    }

    public CapacityReservations(Ec2Api ec2, InstantSource clock) {
        this.ec2 = ec2;
        this.clock = clock;
        this.found = new TimedCache<>(clock, REFRESH);
        this.rooms = new TimedCache<>(clock, COUNT_KEPT);
    }

    /// What the class's terms lead to, without those that have ended.
    public Found of(Ec2NodeClass nodeClass) throws AwsFault {
        var byId = new TreeMap<String, ReservationInfo>();
        for (var question : questions(nodeClass.spec().capacityReservationSelectorTerms())) {
            for (var reservation : answer(question)) {
                byId.put(reservation.id(), reservation);
            }
        }
        var now = clock.instant();
        var reservations = new ArrayList<CapacityReservation>();
        var oddities = new ArrayList<String>();
        for (var info : byId.values()) {
            if (hasEnded(info.endsAt(), now)) {
                continue;
            }
            var type = type(info);
            if (type == null) {
                oddities.add(
                        "capacity reservation %s: reservation type \"%s\" is unknown; left out"
                                .formatted(info.id(), info.reservationType()));
            } else if (!MATCH_CRITERIA.contains(info.matchCriteria())) {
                oddities.add(
                        "capacity reservation %s: match criteria \"%s\" are unknown; left out"
                                .formatted(info.id(), info.matchCriteria()));
            } else {
                reservations.add(told(info, type, now));
            }
        }
        return new Found(reservations, oddities);
    }

    /// Each question once. A term's id is one, its other fields are another.
    static SequencedSet<Question> questions(List<SelectorTerm.CapacityReservation> terms) {
        var questions = new LinkedHashSet<Question>();
        for (var term : terms) {
            if (term.id() != null) {
                questions.add(new Question(term.id(), List.of()));
            }
            if (!term.tags().isEmpty() || term.instanceMatchCriteria() != null) {
                var filters = new ArrayList<Filter>();
                filters.add(Filter.of("state", ACTIVE));
                if (term.ownerId() != null) {
                    filters.add(Filter.of("owner-id", term.ownerId()));
                }
                if (term.instanceMatchCriteria() != null) {
                    filters.add(Filter.of("instance-match-criteria", term.instanceMatchCriteria()));
                }
                filters.addAll(Filter.tags(term.tags()));
                questions.add(new Question(null, List.copyOf(filters)));
            }
        }
        return questions;
    }

    private List<ReservationInfo> answer(Question question) throws AwsFault {
        var known = found.find(question);
        if (known != null) {
            return known;
        }
        var asked = clock.instant();
        var answer =
                ask(question).stream()
                        .filter(reservation -> reservation.state().equals(ACTIVE))
                        .toList();
        synchronized (this) {
            for (var reservation : answer) {
                rooms.put(reservation.id(), new Room(reservation.available(), asked));
            }
        }
        found.put(question, answer);
        return answer;
    }

    private List<ReservationInfo> ask(Question question) throws AwsFault {
        if (question.id() == null) {
            return ec2.capacityReservations(List.of(), question.filters());
        }
        try {
            return ec2.capacityReservations(List.of(question.id()), List.of());
        } catch (AwsFault fault) {
            if (fault.isNotFound()) {
                return List.of();
            }
            throw fault;
        }
    }

    private static boolean hasEnded(@Nullable Instant endsAt, Instant now) {
        return endsAt != null && !endsAt.isAfter(now);
    }

    private static @Nullable ReservationType type(ReservationInfo info) {
        for (var type : ReservationType.values()) {
            if (type.text().equals(info.reservationType())) {
                return type;
            }
        }
        return null;
    }

    private static CapacityReservation told(
            ReservationInfo info, ReservationType type, Instant now) {
        return new CapacityReservation(
                info.id(),
                info.zone(),
                info.instanceType(),
                info.ownerId(),
                info.matchCriteria(),
                type,
                isExpiring(type, info.endsAt(), now)
                        ? ReservationState.EXPIRING
                        : ReservationState.ACTIVE,
                info.isInterruptible(),
                info.endsAt());
    }

    /// Only capacity blocks expire: the instances of others stay when they end.
    public static boolean isExpiring(ReservationType type, @Nullable Instant endsAt, Instant now) {
        return type == ReservationType.CAPACITY_BLOCK
                && endsAt != null
                && !now.isBefore(endsAt.minus(EXPIRING));
    }

    /// How many instances the reservation has room for; none when nobody has seen it.
    public int available(String id) {
        var room = rooms.find(id);
        return room == null ? 0 : room.available();
    }

    /// An instance was launched into it then. A launch before EC2 was last asked is counted in what
    /// EC2 said; where EC2 had not counted it yet we offer one too many, which is found out sooner
    /// than one too few.
    public synchronized void launched(String id, Instant at) {
        var room = rooms.find(id);
        if (room != null && at.isAfter(room.syncedAt())) {
            rooms.put(id, room.with(room.available() - 1));
        }
    }

    /// An instance of it is gone.
    public synchronized void terminated(String id) {
        var room = rooms.find(id);
        if (room != null) {
            rooms.put(id, room.with(room.available() + 1));
        }
    }

    /// EC2 said that it has no room.
    public synchronized void exhausted(String id) {
        var room = rooms.find(id);
        rooms.put(id, room == null ? new Room(0, clock.instant()) : room.with(0));
    }
}
