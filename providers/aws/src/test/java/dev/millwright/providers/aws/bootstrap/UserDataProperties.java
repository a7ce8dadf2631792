package dev.millwright.providers.aws.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.bootstrap.toml.TomlException;
import dev.millwright.providers.aws.bootstrap.toml.TomlReader;
import dev.millwright.providers.aws.bootstrap.toml.TomlText;
import dev.millwright.providers.aws.nodeclass.AmiFamily;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// Whatever a class brings as user data, what joins the cluster is ours or the class is told.
class UserDataProperties {

    private static final int MUTANTS_PER_SEED = 60;
    private static final int DEPTH_MAX = 4;

    private static final List<String> WORDS =
            List.of(
                    "\"",
                    "'",
                    "\"\"\"",
                    "'''",
                    "\n",
                    "\r\n",
                    "[",
                    "]",
                    "[[",
                    "]]",
                    "{",
                    "}",
                    " = ",
                    ".",
                    ",",
                    "#",
                    "\\",
                    "\\u0000",
                    "\u0000",
                    "\ud83d",
                    "settings",
                    "--BOUNDARY",
                    "--BOUNDARY--",
                    "Content-Type: ",
                    ": ",
                    "\t",
                    "1979-05-27 ",
                    "0x",
                    "_",
                    "true");

    private static final List<String> TEXTS =
            List.of(
                    "",
                    "a",
                    "a b",
                    "a.b",
                    "\"",
                    "'",
                    "\\",
                    "\n",
                    "\t",
                    "\u0001",
                    "\u007f",
                    "ä",
                    "\ud83d\ude00",
                    "=",
                    "#",
                    "[x]",
                    "true",
                    "1");

    static LongStream seeds() {
        return LongStream.range(1, 11);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aMutantJoinsTheClusterOrIsRefused(long seed) {
        var random = new Random(seed);
        var toml = Inputs.resource("bottlerocket-custom.toml");
        var mime = Inputs.resource("custom-mime.txt");
        for (var count = 0; count < MUTANTS_PER_SEED; count++) {
            assertJoins(AmiFamily.BOTTLEROCKET, mutant(toml, random), seed);
            assertJoins(AmiFamily.AL2, mutant(mime, random), seed);
            assertJoins(AmiFamily.AL2023, mutant(mime, random), seed);
        }
    }

    private static void assertJoins(AmiFamily family, String custom, long seed) {
        try {
            var userData = UserData.of(family, Inputs.whole(family, custom));
            if (userData instanceof UserData.Written(var text, _)) {
                assertThat(family == AmiFamily.BOTTLEROCKET ? endpoint(text) : text)
                        .contains("https://mill.example");
            }
        } catch (TomlException | RuntimeException | AssertionError | StackOverflowError failure) {
            throw new AssertionError("seed %d: %s".formatted(seed, custom), failure);
        }
    }

    private static String endpoint(String settings) throws TomlException {
        var read = TomlReader.read(settings);
        var kubernetes = ((Value.Mapping) read.fields().get("settings")).fields().get("kubernetes");
        return String.valueOf(((Value.Mapping) kubernetes).text("api-server"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsWrittenAsTomlReadsBack(long seed) throws TomlException {
        var random = new Random(seed);
        for (var count = 0; count < MUTANTS_PER_SEED; count++) {
            var tree = table(random, DEPTH_MAX);
            var text = TomlText.of(tree);

            assertThat(bare(TomlReader.read(text))).as("seed %d", seed).isEqualTo(tree);
        }
    }

    private static Value.Mapping table(Random random, int depth) {
        var fields = new TreeMap<String, Value>();
        for (var count = random.nextInt(5); count > 0; count--) {
            fields.put(text(random), value(random, depth - 1));
        }
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    private static Value value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 3)) {
            case 0 -> Tree.text(text(random));
            case 1 -> new Value.Flag(Position.NOWHERE, random.nextBoolean());
            case 2 -> new Value.Numeral(Position.NOWHERE, Integer.toString(random.nextInt()));
            case 3, 4 -> table(random, depth);
            default -> {
                var elements = new ArrayList<Value>();
                for (var count = random.nextInt(4); count > 0; count--) {
                    elements.add(value(random, depth - 1));
                }
                yield new Value.Sequence(Position.NOWHERE, elements);
            }
        };
    }

    private static String text(Random random) {
        return TEXTS.get(random.nextInt(TEXTS.size())) + TEXTS.get(random.nextInt(TEXTS.size()));
    }

    /// Without the places the values stood at.
    private static Value bare(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> Tree.text(text);
            case Value.Numeral(_, var text) -> new Value.Numeral(Position.NOWHERE, text);
            case Value.Flag(_, var isTrue) -> new Value.Flag(Position.NOWHERE, isTrue);
            case Value.Nothing _ -> new Value.Nothing(Position.NOWHERE);
            case Value.Sequence(_, var elements) ->
                    new Value.Sequence(
                            Position.NOWHERE,
                            new ArrayList<>(
                                    elements.stream().map(UserDataProperties::bare).toList()));
            case Value.Mapping(_, var fields) -> {
                var bare = new TreeMap<String, Value>();
                fields.forEach((name, each) -> bare.put(name, bare(each)));
                yield new Value.Mapping(Position.NOWHERE, bare);
            }
        };
    }

    private static String mutant(String original, Random random) {
        var text = new StringBuilder(original);
        for (var change = random.nextInt(4); change >= 0; change--) {
            var at = random.nextInt(text.length());
            var end = Math.min(text.length(), at + random.nextInt(12));
            switch (random.nextInt(4)) {
                case 0 -> text.replace(at, end, WORDS.get(random.nextInt(WORDS.size())));
                case 1 -> text.insert(at, WORDS.get(random.nextInt(WORDS.size())));
                case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + 100)));
                default -> text.setCharAt(at, (char) random.nextInt(256));
            }
        }
        return text.toString();
    }
}
