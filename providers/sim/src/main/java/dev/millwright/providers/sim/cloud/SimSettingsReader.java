package dev.millwright.providers.sim.cloud;

import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;
import dev.millwright.providers.sim.cloud.SimSettings.ApiFaults;
import dev.millwright.providers.sim.cloud.SimSettings.Capacity;
import dev.millwright.providers.sim.cloud.SimSettings.CapacityRule;
import dev.millwright.providers.sim.cloud.SimSettings.Interruptions;
import dev.millwright.providers.sim.cloud.SimSettings.Mishaps;
import dev.millwright.providers.sim.cloud.SimSettings.Throttle;
import dev.millwright.providers.sim.cloud.SimSettings.Timing;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Reads settings from a document. What it does not name stays as the settings it starts from say;
/// all faults are told at once, by the field's reader.
final class SimSettingsReader {

    /// Calls a bucket may hold: more throttle nothing.
    private static final int BURST_MAX = 1_000_000;

    private SimSettingsReader() {}

    static SimSettings read(Field root, SimSettings start) {
        known(root, "seed", "timing", "capacity", "faults", "interruptions", "mishaps");
        var seed = root.at("seed").whole(Long.MIN_VALUE, Long.MAX_VALUE);
        return new SimSettings(
                seed == null ? start.seed() : seed,
                timing(root.at("timing"), start.timing()),
                capacity(root.at("capacity"), start.capacity()),
                faults(root.at("faults"), start),
                interruptions(root.at("interruptions"), start.interruptions()),
                mishaps(root.at("mishaps"), start.mishaps()));
    }

    private static Timing timing(Field field, Timing start) {
        known(field, "like", "launch", "call", "registration", "listing", "termination");
        var like = field.at("like");
        var preset =
                switch (like.text("")) {
                    case "" -> start;
                    case "prompt" -> Timing.PROMPT;
                    case "lifelike" -> Timing.LIFELIKE;
                    default -> {
                        like.fault(
                                "found \"%s\"; wanted prompt or lifelike"
                                        .formatted(Shortened.of(like.text(""))));
                        yield start;
                    }
                };
        return new Timing(
                delay(field.at("launch"), preset.launch()),
                delay(field.at("call"), preset.call()),
                delay(field.at("registration"), preset.registration()),
                delay(field.at("listing"), preset.listing()),
                delay(field.at("termination"), preset.termination()));
    }

    /// One duration, or three with commas between them: least, usual, most.
    private static Delay delay(Field field, Delay start) {
        var text = field.text();
        if (text == null) {
            return start;
        }
        var parts =
                Stream.of(text.split(",", -1))
                        .map(part -> GoDuration.parse(part.strip()))
                        .filter(part -> part != null && !part.isNegative())
                        .toList();
        if (parts.size() == 1 && text.indexOf(',') < 0) {
            return Delay.always(parts.getFirst());
        }
        var isOrdered =
                parts.size() == 3
                        && parts.get(0).compareTo(parts.get(1)) <= 0
                        && parts.get(1).compareTo(parts.get(2)) <= 0;
        if (!isOrdered) {
            field.fault(
                    "found \"%s\"; wanted a duration such as 90s, or the least, the usual and the most: 1s, 2s, 10s"
                            .formatted(Shortened.of(text)));
            return start;
        }
        return new Delay(parts.get(0), parts.get(1), parts.get(2));
    }

    private static Capacity capacity(Field field, Capacity start) {
        known(field, "rules", "outageRate", "outage", "remembered");
        var rules = field.at("rules");
        return new Capacity(
                rules.isPresent() ? rules(rules) : start.rules(),
                rate(field.at("outageRate"), start.outageRate()),
                duration(field.at("outage"), start.outage()),
                duration(field.at("remembered"), start.remembered()));
    }

    private static List<CapacityRule> rules(Field field) {
        var rules = new ArrayList<CapacityRule>();
        for (var rule : field.elements()) {
            known(rule, "type", "zone", "capacityType", "machines", "recovers");
            var machines = rule.at("machines");
            if (!machines.isPresent()) {
                machines.missing("the number of machines to be had");
            }
            rules.add(
                    new CapacityRule(
                            rule.at("type").text("*"),
                            rule.at("zone").text("*"),
                            rule.at("capacityType").text("*"),
                            machines.whole(0, Integer.MAX_VALUE, 0),
                            !rule.at("recovers").isPresent() || rule.at("recovers").isTrue()));
        }
        return rules;
    }

    private static Map<SimApi, ApiFaults> faults(Field field, SimSettings start) {
        var names = new ArrayList<String>();
        var faults = new EnumMap<SimApi, ApiFaults>(SimApi.class);
        for (var api : SimApi.values()) {
            names.add(api.text());
            var stated = field.at(api.text());
            var before = start.faultsOf(api);
            known(stated, "throttle", "errorRate", "lostRate");
            faults.put(
                    api,
                    new ApiFaults(
                            throttle(stated.at("throttle"), before.throttle()),
                            rate(stated.at("errorRate"), before.errorRate()),
                            rate(stated.at("lostRate"), before.lostRate())));
        }
        known(field, names.toArray(String[]::new));
        faults.values().removeIf(ApiFaults.NONE::equals);
        return faults;
    }

    private static @Nullable Throttle throttle(Field field, @Nullable Throttle start) {
        if (!field.isPresent()) {
            return start;
        }
        known(field, "perSecond", "burst");
        var perSecond = field.at("perSecond").amount();
        var burst = field.at("burst").whole(1, BURST_MAX, 1);
        if (perSecond == null || perSecond == 0) {
            field.at("perSecond").fault("wanted calls a second, more than 0");
            return start;
        }
        return new Throttle(perSecond, burst);
    }

    private static Interruptions interruptions(Field field, Interruptions start) {
        known(field, "perHour", "notice", "wavesPerHour", "waveShare");
        return new Interruptions(
                amount(field.at("perHour"), start.perHour()),
                duration(field.at("notice"), start.notice()),
                amount(field.at("wavesPerHour"), start.wavesPerHour()),
                rate(field.at("waveShare"), start.waveShare()));
    }

    private static Mishaps mishaps(Field field, Mishaps start) {
        known(field, "leakRate", "silentRate", "crashesPerHour");
        return new Mishaps(
                rate(field.at("leakRate"), start.leakRate()),
                rate(field.at("silentRate"), start.silentRate()),
                amount(field.at("crashesPerHour"), start.crashesPerHour()));
    }

    private static double amount(Field field, double start) {
        var amount = field.amount();
        return amount == null ? start : amount;
    }

    private static double rate(Field field, double start) {
        var rate = field.amount();
        if (rate != null && rate > 1) {
            field.fault("found %s; wanted a share from 0 to 1".formatted(rate));
            return start;
        }
        return rate == null ? start : rate;
    }

    private static Duration duration(Field field, Duration start) {
        var text = field.text();
        if (text == null) {
            return start;
        }
        var duration = GoDuration.parse(text);
        if (duration == null || duration.isNegative()) {
            field.fault(
                    "found \"%s\"; wanted a duration such as 90s or 1m30s"
                            .formatted(Shortened.of(text)));
            return start;
        }
        return duration;
    }

    private static void known(Field field, String... names) {
        var wanted = List.of(names);
        field.entries()
                .forEach(
                        (name, entry) -> {
                            if (!wanted.contains(name)) {
                                entry.fault("is unknown; wanted one of " + wanted);
                            }
                        });
    }
}
