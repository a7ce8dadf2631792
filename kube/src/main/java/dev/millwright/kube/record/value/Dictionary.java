package dev.millwright.kube.record.value;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Numbers values by what they are: one that was written before is only named again.
///
/// A value is compared by its bytes, in which the values inside it are numbers already; so it costs
/// the same however deep it goes. Values that were met as the very same objects cost a look-up.
final class Dictionary {

    /// Objects remembered by identity. What a plan is made from is mostly the same objects from one
    /// pass to the next; older ones are forgotten, and then compared by their bytes.
    private static final int IDENTITIES_MAX = 100_000;

    private record Key(Spelling<?> spelling, byte[] bytes, int hash) {

        static Key of(Spelling<?> spelling, byte[] bytes) {
            return new Key(spelling, bytes, 31 * Arrays.hashCode(bytes) + spelling.hashCode());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && hash == key.hash
                    && spelling == key.spelling
                    && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /// One object may be of several spellings: there is only one empty list.
    private record Seen(Spelling<?> spelling, int number) {}

    private final Map<Key, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> texts = new HashMap<>();
    private IdentityHashMap<Object, Seen> young = new IdentityHashMap<>();
    private IdentityHashMap<Object, Seen> old = new IdentityHashMap<>();
    private List<byte[]> fresh = new ArrayList<>();
    private int size;

    /// How many values there are.
    int size() {
        return size;
    }

    /// What was numbered since this was last asked, in the order of the numbers.
    List<byte[]> drain() {
        var drained = fresh;
        fresh = new ArrayList<>();
        return drained;
    }

    /// Writes what names values of this dictionary.
    ValueOut out() {
        return new ValueOut(this);
    }

    int text(String text) {
        var known = texts.get(text);
        if (known != null) {
            return known;
        }
        texts.put(text, size);
        return added(text.getBytes(StandardCharsets.UTF_8));
    }

    <T> int number(Spelling<T> spelling, T value) {
        var seen = seen(value);
        if (seen != null && seen.spelling() == spelling) {
            return seen.number();
        }
        var out = new ValueOut(this);
        spelling.write(out, value);
        var key = Key.of(spelling, out.bytes());
        var known = numbers.get(key);
        if (known == null) {
            known = added(key.bytes());
            numbers.put(key, known);
        }
        remember(value, new Seen(spelling, known));
        return known;
    }

    private int added(byte[] bytes) {
        fresh.add(bytes);
        var number = size;
        size++;
        return number;
    }

    private @Nullable Seen seen(Object value) {
        var seen = young.get(value);
        if (seen == null) {
            seen = old.get(value);
            if (seen != null) {
                remember(value, seen);
            }
        }
        return seen;
    }

    private void remember(Object value, Seen seen) {
        if (young.size() >= IDENTITIES_MAX) {
            old = young;
            young = new IdentityHashMap<>();
        }
        young.put(value, seen);
    }
}
