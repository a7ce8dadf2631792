package dev.millwright.kube.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The forms of DER (X.690) that a certificate is made of.
final class Der {

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int YEAR_OF_LONG_FORM = 2050;

    private static final DateTimeFormatter SHORT =
            DateTimeFormatter.ofPattern("uuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter LONG =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, joined(parts));
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, joined(parts));
    }

    static byte[] integer(BigInteger number) {
        return tagged(0x02, number.toByteArray());
    }

    static byte[] truth() {
        return tagged(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] octets(byte[] content) {
        return tagged(0x04, content);
    }

    /// @param unused bits at the end of the last byte
    static byte[] bits(int unused, byte... content) {
        return tagged(0x03, joined(new byte[] {(byte) unused}, content));
    }

    static byte[] text(String text) {
        return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Whole and inside, as `[n] EXPLICIT`.
    static byte[] explicit(int number, byte[] content) {
        return tagged(0xa0 | number, content);
    }

    /// In the place of its own tag, as `[n] IMPLICIT`.
    static byte[] implicit(int number, byte[] content) {
        return tagged(0x80 | number, content);
    }

    /// Two digits of the year until 2049, as RFC 5280 has it.
    static byte[] time(Instant time) {
        var isLong = time.atZone(ZoneOffset.UTC).getYear() >= YEAR_OF_LONG_FORM;
        var text = (isLong ? LONG : SHORT).format(time);
        return tagged(isLong ? 0x18 : 0x17, text.getBytes(StandardCharsets.US_ASCII));
    }

    /// A name such as 2.5.29.17.
    static byte[] name(int... numbers) {
        var bytes = new ByteArrayOutputStream();
        bytes.write(numbers[0] * 40 + numbers[1]);
        for (var i = 2; i < numbers.length; i++) {
            base128(bytes, numbers[i]);
        }
        return tagged(0x06, bytes.toByteArray());
    }

    private static void base128(ByteArrayOutputStream bytes, int number) {
        for (var shift = 28; shift > 0; shift -= 7) {
            if (number >> shift != 0) {
                bytes.write(((number >> shift) & 0x7f) | 0x80);
            }
        }
        bytes.write(number & 0x7f);
    }

    private static byte[] tagged(int tag, byte[] content) {
        var bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        if (content.length < 0x80) {
            bytes.write(content.length);
        } else {
            var length = BigInteger.valueOf(content.length).toByteArray();
            var from = length[0] == 0 ? 1 : 0;
            bytes.write(0x80 | (length.length - from));
            bytes.write(length, from, length.length - from);
        }
        bytes.writeBytes(content);
        return bytes.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var bytes = new ByteArrayOutputStream();
        for (var part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
