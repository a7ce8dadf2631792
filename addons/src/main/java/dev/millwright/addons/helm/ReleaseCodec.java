package dev.millwright.addons.helm;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Value;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// A release as Helm 3 keeps it in a Secret: JSON, packed by gzip, in base 64, which the Secret
/// puts in base 64 once more.
final class ReleaseCodec {

    /// Bytes of a release unpacked. A Secret holds 1 MiB packed, which could be 600 MiB of one
    /// letter; charts are packed to a fifth.
    private static final int BYTES_MAX = 16 << 20;

    private ReleaseCodec() {}

    /// @param data as it stands in the Secret's `data.release`
    /// @throws IOException when it is anything else
    static Value.Mapping decoded(String data) throws IOException {
        byte[] packed;
        try {
            packed = Base64.getDecoder().decode(Base64.getDecoder().decode(data));
        } catch (IllegalArgumentException notBase64) {
            throw new IOException("is not in base 64", notBase64);
        }
        if (packed.length < 2 || packed[0] != 0x1f || packed[1] != (byte) 0x8b) {
            return foreign(packed); // Of a Helm before 3.0.
        }
        try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            var bytes = unpacked.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new IOException("is longer than %d bytes".formatted(BYTES_MAX));
            }
            return foreign(bytes);
        }
    }

    private static Value.Mapping foreign(byte[] bytes) throws IOException {
        try (var reader = JsonReader.ofForeign(new ByteArrayInputStream(bytes))) {
            return reader.only();
        }
    }

    static String encoded(Value.Mapping release) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(bytes)) {
            JsonWriter.write(release, packed);
        }
        var once = Base64.getEncoder().encode(bytes.toByteArray());
        return Base64.getEncoder().encodeToString(once);
    }
}
