package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.FleetAnswer;
import dev.millwright.providers.aws.api.ImageInfo;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.SecurityGroupInfo;
import dev.millwright.providers.aws.api.SubnetInfo;
import dev.millwright.providers.aws.api.TemplateInfo;
import dev.millwright.providers.aws.api.TrialInstance;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.AwsEndpointExtension;
import dev.millwright.testing.kit.aws.LaunchFault;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

@ExtendWith(AwsEndpointExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class SdkEc2IT {

    private static final List<Filter> DISCOVERED =
            List.of(Filter.of("tag:karpenter.sh/discovery", "test-cluster"));
    private static final List<Filter> OURS =
            List.of(
                    Filter.of("tag-key", "karpenter.sh/nodepool"),
                    Filter.of("instance-state-name", "pending", "running", "shutting-down"));

    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private SdkClients clients = endpoint.sdkClients();
    private Ec2Api ec2 = clients.ec2();
    private Launches launches = new Launches(clients);

    @BeforeAll
    void open() {
        clients.close();
        clients = endpoint.sdkClients();
        ec2 = clients.ec2();
    }

    @BeforeEach
    void prepare() throws AwsFault {
        launches = new Launches(clients);
        launches.prepare();
    }

    @AfterAll
    void close() {
        clients.close();
    }

    @Test
    void allPagesOfTypesAreReadWithWhatEachHas() throws AwsFault {
        var types = ec2.instanceTypes();
        assertThat(types).hasSizeGreaterThan(1_300);
        var type =
                types.stream()
                        .filter(each -> each.name().equals("g4dn.8xlarge"))
                        .findFirst()
                        .orElseThrow();
        assertThat(type.processor().vcpus()).isEqualTo(32);
        assertThat(type.memoryMebibytes()).isEqualTo(131_072);
        assertThat(type.gpus())
                .containsExactly(new InstanceTypeInfo.Gpu("T4", "NVIDIA", 1, 16_384));
        assertThat(type.storage())
                .isEqualTo(new InstanceTypeInfo.Storage(900, "required", "default", 9_500L));
        assertThat(type.network().addressesPerInterface()).isEqualTo(15);
        assertThat(type.hypervisor()).isEqualTo("nitro");
        assertThat(endpoint.calls("DescribeInstanceTypes")).isGreaterThan(13);
    }

    @Test
    void zonesAreToldByType() throws AwsFault {
        assertThat(ec2.zonesByType().get("m5.large")).contains("us-east-1a", "us-east-1b");
    }

    @Test
    void subnetsAndGroupsAreFoundByTagPageByPage() throws AwsFault {
        endpoint.pagesOf(1);
        assertThat(ec2.subnets(DISCOVERED))
                .extracting(SubnetInfo::id, SubnetInfo::zone, SubnetInfo::freeAddresses)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("subnet-test1", "us-east-1a", 8_187),
                        org.assertj.core.groups.Tuple.tuple("subnet-test2", "us-east-1b", 8_187),
                        org.assertj.core.groups.Tuple.tuple("subnet-test3", "us-east-1c", 8_187));
        assertThat(ec2.securityGroups(DISCOVERED))
                .extracting(SecurityGroupInfo::id)
                .containsExactly("sg-test1", "sg-test2", "sg-test3");
        assertThat(endpoint.calls("DescribeSubnets")).isEqualTo(3);
    }

    @Test
    void imagesAreFoundByOwnerDeprecatedOnesToo() throws AwsFault {
        endpoint.pagesOf(3);
        var state = Filter.of("state", "available");
        assertThat(ec2.images(List.of("self"), List.of(state)))
                .extracting(ImageInfo::id)
                .containsExactly("ami-test1", "ami-test2", "ami-test3", "ami-test4");
        var old = ec2.images(List.of(), List.of(Filter.of("image-id", Launches.IMAGE + "old")));
        assertThat(old.getFirst().deprecatedAt()).isEqualTo(Instant.parse("2026-03-01T00:00:00Z"));
        assertThat(old.getFirst().createdAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void reservationsAndPlacementGroupsAreDescribed() throws AwsFault {
        endpoint.reservations(
                Tree.of("CapacityReservationId", "cr-1")
                        .put("InstanceType", "m5.large")
                        .put("AvailabilityZone", "us-east-1a")
                        .put("EndDate", "2027-01-01T00:00:00.000Z"));
        endpoint.placementGroups(
                Tree.of("GroupId", "pg-1").put("Strategy", "partition").put("PartitionCount", 3));
        var reservation = ec2.capacityReservations(List.of("cr-1"), List.of()).getFirst();
        assertThat(reservation.available()).isEqualTo(1);
        assertThat(reservation.endsAt()).isEqualTo(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(ec2.capacityReservations(List.of(), List.of(Filter.of("state", "active"))))
                .containsExactly(reservation);
        var group = ec2.placementGroups(List.of(Filter.of("group-id", "pg-1"))).getFirst();
        assertThat(group.partitions()).isEqualTo(3);
        var fault = fault(() -> ec2.capacityReservations(List.of("cr-none"), List.of()));
        assertThat(fault.isNotFound()).isTrue();
    }

    @Test
    void spotPricesOfAllZonesAreRead() throws AwsFault {
        var prices = ec2.spotPrices(Instant.now());
        assertThat(prices).hasSizeGreaterThan(10_000);
        assertThat(prices)
                .anySatisfy(
                        price -> {
                            assertThat(price.instanceType()).isEqualTo("m5.large");
                            assertThat(price.zone()).isEqualTo("us-east-1a");
                            assertThat(price.price())
                                    .isBetween(new BigDecimal("0.01"), new BigDecimal("0.096"));
                        });
    }

    @Test
    void aTemplateIsMadeFoundAndDeleted() throws AwsFault {
        var found = ec2.launchTemplate(Launches.TEMPLATE);
        assertThat(found.tags()).isEqualTo(Launches.tags());
        assertThat(ec2.launchTemplates(List.of(Filter.of("tag:karpenter.sh/nodepool", "default"))))
                .extracting(TemplateInfo::name)
                .containsExactly(Launches.TEMPLATE);
        ec2.deleteLaunchTemplate(Launches.TEMPLATE);
        assertThat(fault(() -> ec2.launchTemplate(Launches.TEMPLATE)).isNotFound()).isTrue();
    }

    @Test
    void aTemplateCarriesWhatItWasGiven() throws AwsFault {
        var request = JsonWriter.text(endpoint.requests("CreateLaunchTemplate").getFirst());
        assertThat(request)
                .contains("\"IamInstanceProfile\":{\"Name\":\"test-profile\"}")
                .contains("\"Groups\":[\"sg-test1\",\"sg-test2\"]")
                .contains("\"Encrypted\":true", "\"VolumeSize\":20", "\"VolumeType\":\"gp3\"")
                .contains("\"InstanceMetadataTags\":\"disabled\"")
                .contains("\"UserData\":\"aGVsbG8=\"")
                .doesNotContain("CapacityReservationSpecification", "CpuOptions", "Iops");
    }

    @Test
    void aFleetTakesTheCheapestPoolAndTellsWhatItLaunched() throws AwsFault {
        var answer = launches.fleet(2, "on-demand", "m5.large", "c5.large");
        assertThat(answer.refusals()).isEmpty();
        var launched = answer.launched().getFirst();
        assertThat(launched.ids()).hasSize(2);
        assertThat(launched.choice())
                .isEqualTo(
                        new FleetAnswer.Choice(
                                Launches.TEMPLATE,
                                "c5.large",
                                "subnet-test1",
                                Launches.IMAGE,
                                "us-east-1a",
                                "on-demand"));
    }

    @Test
    void aFleetTellsEachPoolThatRefusedBesideWhatItLaunched() throws AwsFault {
        endpoint.refuse(
                LaunchFault.noCapacity("c5.large").in("us-east-1a"),
                LaunchFault.noCapacity("c5.large")
                        .in("us-east-1b")
                        .saying("UnfulfillableCapacity", "none"));
        var answer = launches.fleet(1, "on-demand", "c5.large");
        assertThat(answer.refusals())
                .extracting(FleetAnswer.Refusal::code)
                .containsExactly("InsufficientInstanceCapacity", "UnfulfillableCapacity");
        assertThat(answer.launched().getFirst().choice().zone()).isEqualTo("us-east-1c");
    }

    @Test
    void aSpotFleetMayGiveFewerThanAskedFor() throws AwsFault {
        endpoint.refuse(LaunchFault.noCapacity("*").as("spot").butFor(2));
        var answer = launches.fleet(5, "spot", "m5.large");
        assertThat(answer.launched()).flatExtracting(FleetAnswer.Launched::ids).hasSize(2);
        assertThat(answer.refusals()).hasSize(3);
        var instance = ec2.instances(List.of(), OURS).getFirst();
        assertThat(instance.lifecycle()).isEqualTo("spot");
        assertThat(instance.spotRequestId()).startsWith("sir-");
    }

    @Test
    void aReservationRunsOut() throws AwsFault {
        endpoint.reservations(
                Tree.of("CapacityReservationId", "cr-1")
                        .put("InstanceType", "m5.large")
                        .put("AvailabilityZone", "us-east-1a"));
        ec2.createLaunchTemplate(
                Launches.template(
                        "reserved",
                        new LaunchTemplate.Reservation("capacity-reservations-only", "cr-1")));
        var request = Launches.request("reserved", 2, "on-demand", "m5.large");
        var answer = ec2.createFleet(request);
        assertThat(answer.launched()).flatExtracting(FleetAnswer.Launched::ids).hasSize(1);
        assertThat(answer.refusals())
                .extracting(FleetAnswer.Refusal::code)
                .containsOnly("ReservationCapacityExceeded");
        var instance = ec2.instances(List.of(), OURS).getFirst();
        assertThat(instance.reservationId()).isEqualTo("cr-1");
        assertThat(instance.reservationPreference()).isEqualTo("capacity-reservations-only");
    }

    @Test
    void aSubnetRunsOutOfAddresses() throws AwsFault {
        endpoint.freeAddresses("subnet-test1", 0);
        var answer = launches.fleet(1, "on-demand", "m5.large");
        assertThat(answer.refusals().getFirst().code())
                .isEqualTo("InsufficientFreeAddressesInSubnet");
        assertThat(answer.refusals().getFirst().choice().subnetId()).isEqualTo("subnet-test1");
    }

    @Test
    void aFleetOfAMissingTemplateIsRefusedAsAWhole() {
        var request = Launches.request("gone", 1, "on-demand", "m5.large");
        var fault = fault(() -> ec2.createFleet(request));
        assertThat(fault.code()).isEqualTo("InvalidLaunchTemplateName.NotFoundException");
        assertThat(fault.isUnanswered()).isFalse();
    }

    @Test
    void dryRunsReturnWhenTheyWouldBeLetThrough() throws AwsFault {
        ec2.tryInstanceTypes();
        ec2.tryFleet(Launches.request(Launches.TEMPLATE, 1, "on-demand", "m5.large"));
        ec2.tryInstance(trial());
        assertThat(endpoint.instances()).isEmpty();
    }

    @Test
    void aDryRunThatIsRefusedIsAskedOnce() {
        endpoint.fail(
                ApiFault.refuse("CreateFleet", "UnauthorizedOperation", 403).always(),
                ApiFault.throttle("RunInstances").always());
        var request = Launches.request(Launches.TEMPLATE, 1, "on-demand", "m5.large");
        assertThat(fault(() -> ec2.tryFleet(request)).isUnauthorized()).isTrue();
        assertThat(fault(() -> ec2.tryInstance(trial())).isThrottled()).isTrue();
        assertThat(endpoint.calls("RunInstances")).isEqualTo(1);
    }

    @Test
    void aMissingProfileIsFoundByADryRun() throws AwsFault {
        clients.iam().removeRole(Launches.PROFILE, "test-role");
        clients.iam().deleteProfile(Launches.PROFILE);
        var fault = fault(() -> ec2.tryInstance(trial()));
        assertThat(fault.code()).isEqualTo("InvalidParameterValue");
        assertThat(fault.getMessage()).contains("Invalid IAM Instance Profile name");
    }

    @Test
    void anInstanceIsFoundTaggedRebootedAndEnded() throws AwsFault {
        endpoint.terminatingFor(Duration.ofHours(1));
        var id = launches.launch("m5.large");
        var tags = new TreeMap<String, String>();
        tags.put("Name", "node-1");
        ec2.tag(List.of(id), tags);
        ec2.reboot(List.of(id));
        var instance = ec2.instances(List.of(id), List.of()).getFirst();
        assertThat(instance.tags())
                .containsEntry("Name", "node-1")
                .containsAllEntriesOf(Launches.tags());
        assertThat(instance.state()).isEqualTo("running");
        assertThat(instance.zone()).isEqualTo("us-east-1a");
        assertThat(instance.imageId()).isEqualTo(Launches.IMAGE);
        assertThat(instance.securityGroupIds()).containsExactly("sg-test1", "sg-test2");
        assertThat(instance.tenancy()).isEqualTo("default");
        assertThat(ec2.terminate(List.of(id)))
                .containsExactlyEntriesOf(new TreeMap<>(java.util.Map.of(id, "shutting-down")));
        assertThat(ec2.instances(List.of(), OURS))
                .extracting(InstanceInfo::state)
                .containsExactly("shutting-down");
    }

    @Test
    void manyInstancesAreReadPageByPage() throws AwsFault {
        endpoint.pagesOf(2);
        launches.fleet(5, "on-demand", "m5.large");
        assertThat(ec2.instances(List.of(), OURS)).hasSize(5);
        assertThat(endpoint.calls("DescribeInstances")).isEqualTo(3);
    }

    @Test
    void aNewInstanceMayNotBeSeenYet() throws AwsFault {
        endpoint.hideNewInstances(1);
        endpoint.pendingFor(Duration.ofHours(1));
        var id = launches.launch("m5.large");
        assertThat(fault(() -> ec2.instances(List.of(id), List.of())).isNotFound()).isTrue();
        assertThat(ec2.instances(List.of(id), List.of()).getFirst().state()).isEqualTo("pending");
    }

    @Test
    void impairedInstancesAreToldWithSinceWhen() throws AwsFault {
        var id = launches.launch("m5.large");
        var since = Instant.parse("2026-11-16T08:00:00Z");
        endpoint.status(id, "impaired", "ok", since, List.of("instance-retirement"));
        var impaired =
                ec2.statuses(List.of(Filter.of("instance-status.status", "impaired"))).getFirst();
        assertThat(impaired.id()).isEqualTo(id);
        assertThat(impaired.instance().getFirst().status()).isEqualTo("failed");
        assertThat(impaired.instance().getFirst().impairedSince()).isEqualTo(since);
        assertThat(impaired.system().getFirst().status()).isEqualTo("passed");
        assertThat(ec2.statuses(List.of(Filter.of("event.code", "instance-retirement"))))
                .containsExactly(impaired);
        assertThat(ec2.statuses(List.of(Filter.of("system-status.status", "impaired")))).isEmpty();
    }

    private static TrialInstance trial() {
        return new TrialInstance(
                Launches.TEMPLATE,
                "m5.large",
                "subnet-test1",
                Launches.IMAGE,
                List.of(),
                Launches.tags());
    }

    private static AwsFault fault(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(AwsFault.class, call);
    }
}
