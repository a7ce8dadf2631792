package dev.millwright.capi.machine.roll;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/// A number of machines, or a part of all of them in percent.
public record Share(int amount, boolean isPercent) {

    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,9})(%?)");

    /// Null where the text is neither.
    public static @Nullable Share parse(String text) {
        var matcher = WRITTEN.matcher(text);
        return matcher.matches()
                ? new Share(Integer.parseInt(matcher.group(1)), !matcher.group(2).isEmpty())
                : null;
    }

    public boolean isZero() {
        return amount == 0;
    }

    int floor(int replicas) {
        return isPercent ? bounded((long) amount * replicas / 100) : amount;
    }

    int ceiling(int replicas) {
        return isPercent ? bounded(((long) amount * replicas + 99) / 100) : amount;
    }

    private static int bounded(long machines) {
        return (int) Math.min(Integer.MAX_VALUE, machines);
    }

    @Override
    public String toString() {
        return isPercent ? amount + "%" : Integer.toString(amount);
    }
}
