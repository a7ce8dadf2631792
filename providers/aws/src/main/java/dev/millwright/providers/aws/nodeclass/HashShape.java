package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.policy.GoHash;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.QuantityFormatException;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// What Karpenter's Go type of a part of the document looks like to its hash: there the names of
/// types and members count, their order, their width, and whether a zero counts as there.
sealed interface HashShape {

    /// The hash of the value, or null where there is none of this shape.
    @Nullable Long hash(@Nullable Value value);

    /// Whether the value is what Go holds when nothing is said.
    default boolean isZero(Value value) {
        return false;
    }

    /// Members and scalars.
    enum Scalar implements HashShape {
        TEXT {
            @Override
            public @Nullable Long hash(@Nullable Value value) {
                return value instanceof Value.Text(_, var text) ? GoHash.text(text) : null;
            }

            @Override
            public boolean isZero(Value value) {
                return value instanceof Value.Text(_, var text) && text.isEmpty();
            }
        },
        FLAG {
            @Override
            public @Nullable Long hash(@Nullable Value value) {
                return value instanceof Value.Flag(_, var isTrue)
                        ? GoHash.bytes((byte) (isTrue ? 1 : 0))
                        : null;
            }

            @Override
            public boolean isZero(Value value) {
                return value instanceof Value.Flag(_, var isTrue) && !isTrue;
            }
        },
        INT32 {
            @Override
            public @Nullable Long hash(@Nullable Value value) {
                var number = number(value);
                return number == null
                        ? null
                        : GoHash.bytes(
                                ByteBuffer.allocate(Integer.BYTES)
                                        .order(ByteOrder.LITTLE_ENDIAN)
                                        .putInt(number.intValue())
                                        .array());
            }

            @Override
            public boolean isZero(Value value) {
                var number = number(value);
                return number != null && number == 0;
            }
        },
        INT64 {
            @Override
            public @Nullable Long hash(@Nullable Value value) {
                var number = number(value);
                return number == null ? null : GoHash.words(number);
            }
        },
        QUANTITY {
            @Override
            public @Nullable Long hash(@Nullable Value value) {
                var text = canonical(value);
                return text == null ? null : GoHash.text(text);
            }
        },
        DURATION {
            @Override
            public @Nullable Long hash(@Nullable Value value) {
                var duration =
                        value instanceof Value.Text(_, var text) ? GoDuration.parse(text) : null;
                if (duration == null) {
                    return null;
                }
                return new GoHash.Structure("Duration")
                        .with(
                                "Duration",
                                duration.isZero() ? null : GoHash.words(duration.toNanos()))
                        .hash();
            }
        };

        private static @Nullable Long number(@Nullable Value value) {
            if (!(value instanceof Value.Numeral(_, var text))) {
                return null;
            }
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException notWhole) {
                return null;
            }
        }

        /// The amount as Go prints it: `1024Gi` is `1Ti`, `2000G` is `2T`.
        private static @Nullable String canonical(@Nullable Value value) {
            var text =
                    switch (value) {
                        case Value.Text(_, var written) -> written;
                        case Value.Numeral(_, var written) -> written;
                        case null, default -> "";
                    };
            try {
                var quantity = Quantity.parse(text);
                return text.endsWith("i") ? quantity.toBinaryString() : decimal(quantity);
            } catch (QuantityFormatException notAQuantity) {
                return null;
            }
        }

        private static String decimal(Quantity quantity) {
            if (quantity.nanos() != 0 || quantity.isZero()) {
                return quantity.toString();
            }
            var suffixes = List.of("", "k", "M", "G", "T", "P", "E");
            var number = quantity.units();
            var step = 0;
            while (number % 1_000 == 0 && step < suffixes.size() - 1) {
                number /= 1_000;
                step++;
            }
            return number + suffixes.get(step);
        }
    }

    /// A map from text: one that is empty but there counts.
    record MapOf(HashShape values) implements HashShape {
        @Override
        public @Nullable Long hash(@Nullable Value value) {
            if (!(value instanceof Value.Mapping(_, var entries))) {
                return null;
            }
            var sum = 0L;
            for (var entry : entries.entrySet()) {
                var hash = values.hash(entry.getValue());
                if (hash != null) {
                    sum ^= GoHash.words(GoHash.text(entry.getKey()), hash);
                }
            }
            return GoHash.words(sum);
        }
    }

    /// A list is a set: order is nothing, and two alike cancel out.
    record ListOf(HashShape elements) implements HashShape {
        @Override
        public @Nullable Long hash(@Nullable Value value) {
            if (!(value instanceof Value.Sequence(_, var all))) {
                return null;
            }
            var sum = 0L;
            for (var element : all) {
                var hash = elements.hash(element);
                if (hash != null) {
                    sum ^= hash;
                }
            }
            return sum;
        }
    }

    /// Members in the order of their declaration.
    record Structure(String typeName, List<Member> members) implements HashShape {
        Structure(String typeName, Member... members) {
            this(typeName, List.of(members));
        }

        @Override
        public @Nullable Long hash(@Nullable Value value) {
            if (!(value instanceof Value.Mapping(_, var fields))) {
                return null;
            }
            var structure = new GoHash.Structure(typeName);
            for (var member : members) {
                structure.with(member.name(), member.hash(fields.get(member.field())));
            }
            return structure.hash();
        }
    }

    /// A member of a structure, and the field of the document it comes from.
    ///
    /// @param isPointer whether zero, once written, is more than nothing
    record Member(String name, String field, HashShape shape, boolean isPointer) {

        static Member pointer(String name, String field, HashShape shape) {
            return new Member(name, field, shape, true);
        }

        static Member plain(String name, String field, HashShape shape) {
            return new Member(name, field, shape, false);
        }

        @Nullable Long hash(@Nullable Value value) {
            return value == null || (!isPointer && shape.isZero(value)) ? null : shape.hash(value);
        }
    }
}
