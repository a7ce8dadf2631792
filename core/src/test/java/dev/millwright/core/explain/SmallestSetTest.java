package dev.millwright.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.explain.SmallestSet.Choice;
import dev.millwright.core.explain.SmallestSet.Found;
import dev.millwright.core.explain.SmallestSet.Trial;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The search for the smallest set that is enough. A change is a word; its effort is its length.
final class SmallestSetTest {

    private static final List<String> ALL = List.of("ccc", "a", "bb", "d");

    private final List<List<String>> tried = new ArrayList<>();

    private static SmallestSet<String, String> upTo(int changesMax, int trialsMax) {
        return new SmallestSet<>(String::length, changesMax, trialsMax);
    }

    private Trial<String, String> trial(List<String> changes, Predicate<List<String>> isEnough) {
        tried.add(changes);
        return isEnough.test(changes)
                ? new Trial.Enough<>(String.join("+", changes))
                : new Trial.More<>(ALL);
    }

    private List<Found<String, String>> found(
            SmallestSet<String, String> search,
            Choice<String> choice,
            Predicate<List<String>> isEnough) {
        return search.search(ALL, changes -> trial(changes, isEnough), choice);
    }

    private static Choice<String> wanted(int sets, int moreTrials) {
        return new Choice<>(sets, moreTrials, topic -> topic);
    }

    @Test
    void setsAreTriedBySizeThenEffortThenName() {
        var none = upTo(2, 100).search(ALL, changes -> trial(changes, _ -> false));

        assertThat(none).isNull();
        assertThat(tried)
                .startsWith(
                        List.of("a"),
                        List.of("d"),
                        List.of("bb"),
                        List.of("ccc"),
                        List.of("a", "d"),
                        List.of("a", "bb"));
    }

    @Test
    void noSetIsTriedTwiceNorOneThatIsTooLarge() {
        upTo(2, 100).search(ALL, changes -> trial(changes, _ -> false));

        assertThat(tried).extracting(Set::copyOf).doesNotHaveDuplicates().hasSize(4 + 6);
    }

    @Test
    void theFirstSetThatIsEnoughIsTheAnswer() {
        var found =
                upTo(3, 100)
                        .search(
                                ALL,
                                changes ->
                                        trial(
                                                changes,
                                                each -> each.containsAll(List.of("a", "d"))));

        assertThat(found).isEqualTo(new Found<>(List.of("a", "d"), "a+d"));
    }

    @Test
    void onlySoManySetsAreTried() {
        var found = upTo(3, 3).search(ALL, changes -> trial(changes, each -> each.contains("ccc")));

        assertThat(found).isNull();
        assertThat(tried).hasSize(3);
    }

    @Test
    void nextChangesAreWhatTheLastTrialNamed() {
        var found =
                upTo(3, 100)
                        .search(
                                List.of("a"),
                                changes ->
                                        changes.contains("end")
                                                ? new Trial.Enough<>("done")
                                                : new Trial.More<>(
                                                        List.of(
                                                                changes.contains("then")
                                                                        ? "end"
                                                                        : "then")));

        assertThat(found).isEqualTo(new Found<>(List.of("a", "then", "end"), "done"));
    }

    @Test
    void severalSetsAreFoundWhereSeveralAreWanted() {
        var found = found(upTo(2, 100), wanted(2, 100), changes -> !changes.contains("a"));

        assertThat(found).extracting(Found::answer).containsExactly("d", "bb");
    }

    @Test
    void otherSetsAreNoLargerThanTheFirst() {
        var found = found(upTo(2, 100), wanted(9, 100), changes -> changes.contains("bb"));

        assertThat(found).extracting(Found::answer).containsExactly("bb");
        assertThat(tried).allSatisfy(each -> assertThat(each).hasSize(1));
    }

    @Test
    void lookingForOthersIsBoundedByItself() {
        var found = found(upTo(2, 100), wanted(9, 1), changes -> !changes.contains("d"));

        assertThat(found).extracting(Found::answer).containsExactly("a");
        assertThat(tried).containsExactly(List.of("a"), List.of("d"));
    }

    @Test
    void whatIsLeftOfTheTrialsBoundsTheLookForOthersToo() {
        var found = found(upTo(2, 2), wanted(9, 100), changes -> !changes.contains("d"));

        assertThat(found).extracting(Found::answer).containsExactly("a");
        assertThat(tried).hasSize(2);
    }

    @Test
    void aSetAboutTheTopicsOfAnotherIsNoOtherWay() {
        var byLength = new Choice<String>(9, 100, word -> Integer.toString(word.length()));

        var found = found(upTo(2, 100), byLength, _ -> true);

        assertThat(found).extracting(Found::answer).containsExactly("a", "bb", "ccc");
        assertThat(tried).containsExactly(List.of("a"), List.of("bb"), List.of("ccc"));
    }

    @Test
    void whereNothingMightHelpNothingIsFound() {
        assertThat(upTo(2, 100).search(List.of(), changes -> trial(changes, _ -> true))).isNull();
        assertThat(tried).isEmpty();
    }
}
