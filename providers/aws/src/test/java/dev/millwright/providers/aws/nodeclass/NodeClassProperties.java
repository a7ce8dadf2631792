package dev.millwright.providers.aws.nodeclass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/// A class in which any value is another is read as far as it goes: it never fails.
class NodeClassProperties {

    private static final int MUTANTS_PER_SEED = 200;

    private static final List<Value> ODD =
            List.of(
                    Tree.text(""),
                    Tree.text("x"),
                    Tree.text("9".repeat(400)),
                    Tree.text("-1Gi"),
                    Tree.text("al2023@"),
                    new Value.Numeral(Position.NOWHERE, "-1"),
                    new Value.Numeral(Position.NOWHERE, "1e99"),
                    new Value.Numeral(Position.NOWHERE, "99999999999999999999"),
                    new Value.Flag(Position.NOWHERE, true),
                    new Value.Nothing(Position.NOWHERE),
                    Tree.list(List.of()),
                    Tree.list(List.of(Tree.text("x"), Tree.of().mapping())),
                    Tree.of().mapping(),
                    Tree.of("x", "y").mapping());

    static LongStream seeds() {
        return LongStream.range(1, 11);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anOddClassIsReadAndHashed(long seed) {
        var random = new Random(seed);
        var whole = Classes.document(Classes.resource("whole.yaml"));
        for (var count = 0; count < MUTANTS_PER_SEED; count++) {
            var mutant = mutant(whole, random);
            try {
                var read = Classes.of((Value.Mapping) mutant);
                assertThat(NodeClassHash.of(read, "ca")).matches("[0-9]+");
                assertThat(ResourceTags.of(read, "mill", "pool")).hasSizeGreaterThan(3);
            } catch (RuntimeException failure) {
                throw new AssertionError("seed %d: %s".formatted(seed, mutant), failure);
            }
        }
    }

    /// The tree with about one value in twenty replaced, but for the top.
    private static Value mutant(Value value, Random random) {
        return switch (value) {
            case Value.Mapping(var position, var fields) -> {
                var changed = new LinkedHashMap<String, Value>();
                fields.forEach((name, each) -> changed.put(name, replaced(each, random)));
                yield new Value.Mapping(position, changed);
            }
            case Value.Sequence(var position, var elements) -> {
                var changed = new ArrayList<Value>();
                elements.forEach(each -> changed.add(replaced(each, random)));
                yield new Value.Sequence(position, changed);
            }
            case Value other -> other;
        };
    }

    private static Value replaced(Value value, Random random) {
        return random.nextInt(20) == 0
                ? ODD.get(random.nextInt(ODD.size()))
                : mutant(value, random);
    }
}
