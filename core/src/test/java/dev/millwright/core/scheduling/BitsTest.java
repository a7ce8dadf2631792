package dev.millwright.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.IntStream;

/// Sets of small numbers.
final class BitsTest {

    private static long[] of(int... numbers) {
        var words = Bits.EMPTY;
        for (var number : numbers) {
            words = Bits.with(words, number);
        }
        return words;
    }

    private static int[] numbers(long[] words) {
        return IntStream.range(0, words.length * 64)
                .filter(each -> Bits.has(words, each))
                .toArray();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "63, 1", "64, 1", "65, 2", "128, 2"})
    void aSetHasRoomForSoMany(int size, int words) {
        assertThat(Bits.ofSize(size)).hasSize(words).containsOnly(new long[words]);
        assertThat(Bits.count(Bits.all(size))).isEqualTo(size);
        assertThat(Bits.has(Bits.all(size), size)).isFalse();
    }

    @Test
    void aSetGrowsWithItsNumbers() {
        assertThat(numbers(of(0, 63, 64, 200))).containsExactly(0, 63, 64, 200);
        assertThat(Bits.has(of(0), 64)).isFalse();
    }

    @Test
    void aSetThatIsLargeEnoughIsChangedInPlace() {
        var set = Bits.ofSize(64);

        assertThat(Bits.with(set, 5)).isSameAs(set);
        assertThat(numbers(set)).containsExactly(5);
    }

    @Test
    void aNumberIsTakenOutAndOneThatIsNotThereIsNot() {
        var set = of(1, 2);

        Bits.clear(set, 1);
        Bits.clear(set, 64);

        assertThat(numbers(set)).containsExactly(2);
    }

    @Test
    void theNextNumberIsFoundAcrossWords() {
        var set = of(3, 64, 190);

        assertThat(
                        IntStream.of(0, 3, 4, 64, 65, 190, 191, 192, 999)
                                .map(from -> Bits.next(set, from)))
                .containsExactly(3, 3, 64, 64, 190, 190, -1, -1, -1);
        assertThat(Bits.next(Bits.ofSize(128), 0)).isEqualTo(-1);
    }

    @Test
    void setsOfDifferentLengthsMeetInWhatBothHave() {
        assertThat(numbers(Bits.and(of(1, 2, 100), of(2, 3)))).containsExactly(2);
        assertThat(Bits.intersects(of(1, 100), of(100))).isTrue();
        assertThat(Bits.intersects(of(1, 100), of(1))).isTrue();
        assertThat(Bits.intersects(of(1, 100), of(2, 101))).isFalse();
        assertThat(Bits.intersects(of(100), of(1))).isFalse();
    }

    @Test
    void aSetKeepsOrTakesWhatAnotherHas() {
        var kept = of(1, 2, 100);
        Bits.andInto(kept, of(2, 3));
        var joined = of(1, 100);
        Bits.orInto(joined, of(2));
        var narrow = of(1);
        Bits.orInto(narrow, of(2, 100));

        assertThat(numbers(kept)).containsExactly(2);
        assertThat(numbers(joined)).containsExactly(1, 2, 100);
        assertThat(numbers(narrow)).containsExactly(1, 2);
    }

    @Test
    void aSetIsEmptyWithoutNumbers() {
        assertThat(Bits.isEmpty(Bits.EMPTY)).isTrue();
        assertThat(Bits.isEmpty(Bits.ofSize(100))).isTrue();
        assertThat(Bits.isEmpty(of(100))).isFalse();
        assertThat(Bits.count(of(1, 100))).isEqualTo(2);
    }

    @Test
    void wordsBeyondTheEndAreEmpty() {
        assertThat(Bits.word(of(0), 0)).isEqualTo(1);
        assertThat(Bits.word(of(0), 1)).isZero();
    }

    @Test
    void aPairIsRememberedAmongThousands() {
        var memo = new PairMemo();
        IntStream.range(0, 5_000).forEach(pair -> memo.remember(pair, -pair, pair * 3));

        assertThat(memo.find(4_999, -4_999)).isEqualTo(14_997);
        assertThat(memo.find(17, -17)).isEqualTo(51);
        assertThat(memo.find(-17, 17)).isEqualTo(PairMemo.UNKNOWN);
        assertThat(memo.remember(-17, 17, 9)).isEqualTo(9);
        assertThat(memo.find(-17, 17)).isEqualTo(9);
    }
}
