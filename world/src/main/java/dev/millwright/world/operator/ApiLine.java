package dev.millwright.world.operator;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.fault.Weather;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The way from a process to the API server and back, where requests and answers take their time
/// and may be lost. What was sent arrives even if its sender dies meanwhile.
final class ApiLine {

    private static final Duration TRAVEL_MIN = Duration.ofMillis(1);
    private static final Duration TRAVEL_MAX = Duration.ofMillis(15);
    private static final Duration SLOW_MIN = Duration.ofMillis(200);
    private static final Duration SLOW_MAX = Duration.ofSeconds(8);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final double SLOW_RATE = 0.02;
    private static final double ERROR_RATE = 0.01;
    private static final double LOST_RATE = 0.005;
    private static final double CONFLICT_RATE = 0.01;

    private final Agenda agenda;
    private final ApiStore store;
    private final Weather weather;
    private final Chance chance;
    private final Witness witness;

    ApiLine(Surroundings surroundings, Chance chance) {
        this.agenda = surroundings.agenda();
        this.store = surroundings.store();
        this.weather = surroundings.weather();
        this.witness = surroundings.witness();
        this.chance = chance;
    }

    void read(Life life, ResourceType type, ObjectName name, Consumer<ApiAnswer> then) {
        send(life, false, () -> store.read(type, name), then);
    }

    void write(Life life, String by, ApiWrite write, Consumer<ApiAnswer> then) {
        send(life, write instanceof ApiWrite.Patch, () -> applied(by, write), then);
    }

    private ApiAnswer applied(String by, ApiWrite write) {
        var answer = store.write(by, write);
        if (write instanceof ApiWrite.Evict(var name, var uid)) {
            witness.saw(new Happening.Evicted(agenda.instant(), by, name, uid, answer));
        }
        return answer;
    }

    private void send(
            Life life, boolean isPatch, Supplier<ApiAnswer> request, Consumer<ApiAnswer> then) {
        if (strikes(Fault.API_LOST, LOST_RATE)) {
            life.after(TIMEOUT, () -> then.accept(lost())); // It never arrived.
            return;
        }
        agenda.after(travel(), () -> arrive(life, isPatch, request, then));
    }

    private void arrive(
            Life life, boolean isPatch, Supplier<ApiAnswer> request, Consumer<ApiAnswer> then) {
        if (strikes(Fault.API_ERROR, ERROR_RATE)) {
            life.after(travel(), () -> then.accept(failure()));
        } else if (isPatch && strikes(Fault.CONFLICT, CONFLICT_RATE)) {
            var conflict = new ApiAnswer.Refused(409, "Conflict", "the object has been modified");
            life.after(travel(), () -> then.accept(conflict));
        } else {
            var answer = request.get();
            if (strikes(Fault.API_LOST, LOST_RATE)) {
                life.after(TIMEOUT, () -> then.accept(lost())); // It was done all the same.
            } else {
                life.after(travel(), () -> then.accept(answer));
            }
        }
    }

    private static ApiAnswer lost() {
        return new ApiAnswer.Unreachable("timeout after %d s".formatted(TIMEOUT.toSeconds()));
    }

    private ApiAnswer failure() {
        return chance.happens(0.5)
                ? new ApiAnswer.Refused(429, "TooManyRequests", "try again later")
                : new ApiAnswer.Refused(500, "InternalError", "etcd has no leader");
    }

    private boolean strikes(Fault fault, double rate) {
        return weather.allows(fault) && chance.happens(rate);
    }

    private Duration travel() {
        return strikes(Fault.API_SLOW, SLOW_RATE)
                ? chance.between(SLOW_MIN, SLOW_MAX)
                : chance.between(TRAVEL_MIN, TRAVEL_MAX);
    }
}
