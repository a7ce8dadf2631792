package dev.millwright.providers.aws.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.network.CapacityReservations.Question;
import dev.millwright.providers.aws.nodeclass.NodeClassSpec.PlacementGroupSelector;
import dev.millwright.providers.aws.nodeclass.SelectorTerm;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

class QuestionsTest {

    private static SequencedMap<String, String> tags(String... keysAndValues) {
        var tags = new TreeMap<String, String>();
        for (var index = 0; index < keysAndValues.length; index += 2) {
            tags.put(keysAndValues[index], keysAndValues[index + 1]);
        }
        return tags;
    }

    private static SelectorTerm.Subnet subnet(
            @Nullable String id, SequencedMap<String, String> tags) {
        return new SelectorTerm.Subnet(tags, id);
    }

    private static SelectorTerm.SecurityGroup group(
            @Nullable String id, @Nullable String name, SequencedMap<String, String> tags) {
        return new SelectorTerm.SecurityGroup(tags, id, name);
    }

    private static SelectorTerm.CapacityReservation reservation(
            @Nullable String id,
            @Nullable String owner,
            @Nullable String criteria,
            SequencedMap<String, String> tags) {
        return new SelectorTerm.CapacityReservation(tags, id, owner, criteria);
    }

    @Test
    void idsOfSubnetsAreOneQuestionAndEachTermOfTagsAnother() {
        var questions =
                Subnets.questions(
                        List.of(
                                subnet(null, tags("Name", "a", "team", "*")),
                                subnet("subnet-2", tags()),
                                subnet("subnet-1", tags()),
                                subnet(null, tags("Name", "b"))));

        assertThat(questions)
                .containsExactly(
                        List.of(Filter.of("subnet-id", "subnet-1", "subnet-2")),
                        List.of(Filter.of("tag:Name", "a"), Filter.of("tag-key", "team")),
                        List.of(Filter.of("tag:Name", "b")));
    }

    @Test
    void theIdOfASubnetWinsOverItsTermsTags() {
        assertThat(Subnets.questions(List.of(subnet("subnet-1", tags("Name", "a")))))
                .containsExactly(List.of(Filter.of("subnet-id", "subnet-1")));
    }

    @Test
    void ofASecurityGroupTheIdWinsOverTheNameAndTheNameOverTags() {
        var questions =
                SecurityGroups.questions(
                        List.of(
                                group("sg-1", "x", tags("a", "b")),
                                group(null, "nodes", tags("a", "b")),
                                group(null, null, tags("a", "b"))));

        assertThat(questions)
                .containsExactly(
                        List.of(Filter.of("group-id", "sg-1")),
                        List.of(Filter.of("group-name", "nodes")),
                        List.of(Filter.of("tag:a", "b")));
    }

    @Test
    void aReservationsIdAndItsOtherFieldsAreTwoQuestions() {
        var questions =
                CapacityReservations.questions(
                        List.of(reservation("cr-1", "123456789012", "open", tags("a", "*"))));

        assertThat(questions)
                .containsExactly(
                        new Question("cr-1", List.of()),
                        new Question(
                                null,
                                List.of(
                                        Filter.of("state", "active"),
                                        Filter.of("owner-id", "123456789012"),
                                        Filter.of("instance-match-criteria", "open"),
                                        Filter.of("tag-key", "a"))));
    }

    @Test
    void anOwnerAloneAsksNothing() {
        assertThat(
                        CapacityReservations.questions(
                                List.of(reservation(null, "123456789012", null, tags()))))
                .isEmpty();
    }

    @Test
    void aPlacementGroupIsAskedForByIdOrByName() {
        assertThat(PlacementGroups.question(new PlacementGroupSelector(null, "pg-1")))
                .containsExactly(Filter.of("group-id", "pg-1"), Filter.of("state", "available"));
        assertThat(PlacementGroups.question(new PlacementGroupSelector("close", null)))
                .containsExactly(Filter.of("group-name", "close"), Filter.of("state", "available"));
    }

    @Test
    void anOfferTellsItsSubnetsByZone() {
        var offer =
                new SubnetOffer(
                        new TreeMap<>(Map.of("zone-1a", new SubnetOffer.Share("subnet-1", 7, 5))));

        assertThat(offer.subnetIds()).containsExactly(Map.entry("zone-1a", "subnet-1"));
    }
}
