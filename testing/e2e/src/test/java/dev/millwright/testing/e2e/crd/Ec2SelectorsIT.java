package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.ec2NodeClass;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What an EC2NodeClass selects in EC2, and its network interfaces.
@ExtendWith(AdmissionExtension.class)
final class Ec2SelectorsIT {

    private final Admission admission;

    Ec2SelectorsIT(Admission admission) {
        this.admission = admission;
    }

    private static Sample subnets(String terms) {
        return ec2NodeClass().with("subnetSelectorTerms", yaml("[%s]".formatted(terms)));
    }

    private static Sample groups(String terms) {
        return ec2NodeClass().with("securityGroupSelectorTerms", yaml("[%s]".formatted(terms)));
    }

    private static Sample reservations(String terms) {
        return ec2NodeClass()
                .with("capacityReservationSelectorTerms", yaml("[%s]".formatted(terms)));
    }

    private static Sample images(String terms) {
        return ec2NodeClass()
                .with("amiFamily", "AL2023")
                .with("amiSelectorTerms", yaml("[%s]".formatted(terms)));
    }

    private static Sample interfaces(String interfaces) {
        return ec2NodeClass()
                .with(
                        "networkInterfaces",
                        yaml(
                                "[%s]"
                                        .formatted(
                                                interfaces.replaceAll(
                                                        "(-?[0-9]+)/(-?[0-9]+) ([a-z-]+)",
                                                        "{networkCardIndex: $1, deviceIndex: $2, interfaceType: $3}"))));
    }

    @Tag("AWS-A5")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tags: {a: b}}",
                "{tags: {a: '*'}}",
                "{id: subnet-12345749}",
                "{tags: {a: b}}, {id: subnet-1}",
                "{tags: {a: b}, id: subnet-1}, {id: subnet-2}"
            })
    void subnetsAreSelectedByTagsOrId(String terms) {
        admission.accepts(subnets(terms));
    }

    @Tag("AWS-A5")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    ^^                                | at least one term is needed
                    {}                                | give it tags or an id
                    {tags: {a: b}}, {}                | give it tags or an id
                    {tags: {'': b}}                   | must not be empty
                    {tags: {a: ''}}                   | must not be empty
                    {tags: {a: b}, id: subnet-1}      | leave the tags out
                    {id: vpc-1}                       | spec.subnetSelectorTerms[0].id
                    """)
    void subnetsAreSelectedBySomethingThatIsRight(String terms, String words) {
        admission.refuses(subnets(terms), words);
    }

    @Tag("AWS-A5")
    @Test
    void subnetsAndGroupsAreSelected() {
        admission.refuses(ec2NodeClass().without("subnetSelectorTerms"), "subnetSelectorTerms");
        admission.refuses(
                ec2NodeClass().without("securityGroupSelectorTerms"), "securityGroupSelectorTerms");
        admission.refuses(ec2NodeClass().without("amiSelectorTerms"), "amiSelectorTerms");
    }

    @Tag("AWS-A6")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tags: {a: b}}",
                "{id: sg-12345749}",
                "{name: nodes}",
                "{name: nodes}, {id: sg-1}, {tags: {a: b}}",
                "{name: nodes, id: sg-1}, {id: sg-2}"
            })
    void groupsAreSelectedByTagsIdOrName(String terms) {
        admission.accepts(groups(terms));
    }

    @Tag("AWS-A6")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    ^^                                | at least one term is needed
                    {}                                | give it tags, an id or a name
                    {tags: {a: b}}, {}                | give it tags, an id or a name
                    {tags: {'': b}}                   | must not be empty
                    {tags: {a: ''}}                   | must not be empty
                    {tags: {a: b}, id: sg-1}          | leave tags and name out
                    {name: a, id: sg-1}               | leave tags and name out
                    {name: a, tags: {a: b}}           | leave tags and id out
                    {id: group-1}                     | spec.securityGroupSelectorTerms[0].id
                    """)
    void groupsAreSelectedBySomethingThatIsRight(String terms, String words) {
        admission.refuses(groups(terms), words);
    }

    @Tag("AWS-A7")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tags: {a: b}}",
                "{id: cr-12345749}",
                "{tags: {a: b}, ownerID: '012345678901'}",
                "{instanceMatchCriteria: open}",
                "{instanceMatchCriteria: targeted}",
                "{instanceMatchCriteria: open, tags: {a: b}}",
                "{instanceMatchCriteria: open, tags: {a: b}, ownerID: '012345678901'}",
                "{id: cr-1, tags: {a: b}}, {id: cr-2}"
            })
    void reservationsAreSelectedByTagsIdOrCriteria(String terms) {
        admission.accepts(reservations(terms));
    }

    @Tag("AWS-A7")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    ^^                                  | leave tags, ownerID and instanceMatchCriteria out
                    {}                                  | give it tags, an id or instanceMatchCriteria
                    {tags: {a: b}}, {}                  | give it tags, an id or instanceMatchCriteria
                    {ownerID: '012345678901'}           | give it tags, an id or instanceMatchCriteria
                    {tags: {'': b}}                     | must not be empty
                    {tags: {a: ''}}                     | must not be empty
                    {id: cr-1, tags: {a: b}}            | leave tags, ownerID and instanceMatchCriteria out
                    {id: cr-1, ownerID: '012345678901'} | leave tags, ownerID and instanceMatchCriteria out
                    {id: cr-1, instanceMatchCriteria: open} | leave tags, ownerID and instanceMatchCriteria out
                    {id: xcr-1}                         | spec.capacityReservationSelectorTerms[0].id
                    {tags: {a: b}, ownerID: '1'}        | spec.capacityReservationSelectorTerms[0].ownerID
                    {instanceMatchCriteria: any}        | spec.capacityReservationSelectorTerms[0].instanceMatchCriteria
                    """)
    void reservationsAreSelectedBySomethingThatIsRight(String terms, String words) {
        admission.refuses(reservations(terms), words);
    }

    @Tag("AWS-A7")
    @ParameterizedTest
    @ValueSource(strings = {"{name: group}", "{id: pg-0123abc}"})
    void aPlacementGroupIsSelectedByNameOrId(String selector) {
        admission.accepts(ec2NodeClass().with("placementGroupSelector", yaml(selector)));
    }

    @Tag("AWS-A7")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    {}                       | name and id are missing
                    {name: a, id: pg-1}      | name and id exclude each other
                    {name: ''}               | spec.placementGroupSelector.name
                    {id: group}              | spec.placementGroupSelector.id
                    """)
    void aPlacementGroupIsSelectedByOneOfThem(String selector, String words) {
        admission.refuses(ec2NodeClass().with("placementGroupSelector", yaml(selector)), words);
    }

    @Tag("AWS-A8")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{alias: al2023@latest}",
                "{tags: {a: b}}",
                "{id: ami-12345749}",
                "{name: mine}",
                "{name: mine, owner: self}",
                "{tags: {a: b}, owner: self}",
                "{ssmParameter: /mine}",
                "{id: ami-1, ssmParameter: /mine}",
                "{alias: al2023@latest, ssmParameter: /mine}",
                "{id: ami-1}, {name: mine}, {tags: {a: b}}"
            })
    void imagesAreSelectedByOneOfFive(String terms) {
        admission.accepts(images(terms));
    }

    @Tag("AWS-A8")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    ^^                                        | spec.amiSelectorTerms
                    {}                                        | give it tags, an id
                    {id: ami-1}, {}                           | give it tags, an id
                    {owner: self}                             | give it tags, an id
                    {tags: {'': b}}                           | must not be empty
                    {tags: {a: ''}}                           | must not be empty
                    {id: image-1}                             | spec.amiSelectorTerms[0].id
                    {id: ami-1, tags: {a: b}}                 | leave alias, tags, name and owner out
                    {id: ami-1, name: a}                      | leave alias, tags, name and owner out
                    {id: ami-1, owner: a}                     | leave alias, tags, name and owner out
                    {id: ami-1, alias: al2023@latest}         | leave alias, tags, name and owner out
                    {id: ami-1}, {id: ami-1, owner: a}        | leave alias, tags, name and owner out
                    {alias: al2023@latest, tags: {a: b}}      | leave id, tags, name and owner out
                    {alias: al2023@latest, name: a}           | leave id, tags, name and owner out
                    {alias: al2023@latest, owner: a}          | leave id, tags, name and owner out
                    {alias: al2023@latest}, {id: ami-1}       | must be the only term
                    """)
    void imagesAreSelectedBySomethingThatIsRight(String terms, String words) {
        admission.refuses(images(terms), words);
    }

    @Tag("AWS-A8")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "al2@latest",
                "al2@v20240625",
                "al2023@latest",
                "al2023@v20240625",
                "bottlerocket@latest",
                "bottlerocket@v1.10.0",
                "windows2019@latest",
                "windows2022@latest",
                "windows2025@latest"
            })
    void anAliasIsAFamilyAndAVersion(String alias) {
        admission.accepts(
                ec2NodeClass().with("amiSelectorTerms", yaml("[{alias: %s}]".formatted(alias))));
    }

    @Tag("AWS-A8")
    @ParameterizedTest
    @CsvSource({
        "@latest, a family",
        "al2023@, a family",
        "al2023, a family",
        "al2023:latest, a family",
        "AL2023@latest, the family is one of",
        "ubuntu@latest, the family is one of",
        "custom@latest, the family is one of",
        "windows2019@v1, no version but latest",
        "windows2022@v1, no version but latest",
        "windows2025@v1, no version but latest",
        "al2023@v20240625-and-much-more-text, spec.amiSelectorTerms[0].alias"
    })
    void anAliasIsNothingElse(String alias, String words) {
        admission.refuses(
                ec2NodeClass().with("amiSelectorTerms", yaml("[{alias: '%s'}]".formatted(alias))),
                words);
    }

    @Tag("AWS-A12")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0/0 interface",
                "0/0 interface, 0/1 interface, 1/0 efa-only",
                "0/0 interface, 0/1 efa-only, 1/0 interface, 1/1 efa-only"
            })
    void interfacesAreOnCardsAndDevices(String interfaces) {
        admission.accepts(interfaces(interfaces));
    }

    @Tag("AWS-A12")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    0/0 efa                                         | spec.networkInterfaces[0].interfaceType
                    0/0 interface, -1/0 interface                   | spec.networkInterfaces[1].networkCardIndex
                    0/0 interface, 0/-1 interface                   | spec.networkInterfaces[1].deviceIndex
                    0/0 interface, 1/1 interface, 1/1 efa-only      | can be used once
                    0/1 interface                                   | the first interface is missing
                    1/0 interface                                   | the first interface is missing
                    0/0 efa-only                                    | the first interface is missing
                    0/0 interface, 1/0 efa-only, 1/1 efa-only       | one efa-only interface at most
                    """)
    void interfacesAreOnTheirOwn(String interfaces, String words) {
        admission.refuses(interfaces(interfaces), words);
    }
}
