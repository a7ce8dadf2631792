package dev.millwright.core.policy;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The hash that Karpenter takes of Go structures, part by part.
///
/// Bit for bit: what is hashed is remembered in annotations and in names of cloud resources, so
/// another number would change a fleet on the day we take over.
public final class GoHash {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private GoHash() {}

    /// A structure takes in its fields in the order of declaration and leaves out those that are
    /// zero.
    public static final class Structure {
        private long hash;
        private boolean isZero = true;

        public Structure(String typeName) {
            this.hash = text(typeName);
        }

        /// A field with the hash of its value, or null for one that is zero.
        public Structure with(String field, @Nullable Long value) {
            if (value != null) {
                hash = words(hash ^ words(text(field), value));
                isZero = false;
            }
            return this;
        }

        public Structure with(String field, String value) {
            return with(field, value.isEmpty() ? null : Long.valueOf(text(value)));
        }

        public boolean isZero() {
            return isZero;
        }

        public long hash() {
            return hash;
        }
    }

    public static long text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Of numbers of eight bytes each, the lowest first.
    public static long words(long... words) {
        var bytes = ByteBuffer.allocate(Long.BYTES * words.length).order(ByteOrder.LITTLE_ENDIAN);
        for (var word : words) {
            bytes.putLong(word);
        }
        return bytes(bytes.array());
    }

    /// 64-bit FNV-1: multiply, then xor.
    public static long bytes(byte... bytes) {
        var hash = FNV_OFFSET;
        for (var next : bytes) {
            hash = (hash * FNV_PRIME) ^ (next & 0xff);
        }
        return hash;
    }
}
