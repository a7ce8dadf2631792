package dev.millwright.dashboard.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URLDecoder;
import java.util.Map;
import java.util.TreeMap;

/// What an address asks for after its path. All that is wrong with it is an
/// [IllegalArgumentException] whose message is fit for the visitor.
record Query(Map<String, String> values) {

    /// The longest name of an object with its namespace has 507 letters.
    static final int LENGTH_MAX = 2_048;

    static Query of(URI address) {
        var raw = address.getRawQuery();
        var values = new TreeMap<String, String>();
        if (raw == null || raw.isEmpty()) {
            return new Query(values);
        }
        if (raw.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "the query has %d letters; at most %d are read"
                            .formatted(raw.length(), LENGTH_MAX));
        }
        for (var part : raw.split("&", -1)) {
            var sides = part.split("=", 2);
            values.put(
                    URLDecoder.decode(sides[0], UTF_8),
                    sides.length == 1 ? "" : URLDecoder.decode(sides[1], UTF_8));
        }
        return new Query(values);
    }

    String text(String name) {
        var value = values.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("%s: found nothing; wanted a text".formatted(name));
        }
        return value;
    }

    long number(String name) {
        var value = text(name);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(
                    "%s: found \"%s\"; wanted a whole number".formatted(name, value), wrong);
        }
    }

    /// Null when nobody asks for one.
    @Nullable Integer index(String name, int length) {
        var value = values.get(name);
        if (value == null) {
            return null;
        }
        var wanted = "wanted a whole number from 0 to " + (length - 1);
        try {
            var index = Integer.parseInt(value);
            if (index < 0 || index >= length) {
                throw new IllegalArgumentException(
                        "%s: found %d; %s".formatted(name, index, wanted));
            }
            return index;
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(
                    "%s: found \"%s\"; %s".formatted(name, value, wanted), wrong);
        }
    }
}
