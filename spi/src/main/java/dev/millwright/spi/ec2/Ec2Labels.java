package dev.millwright.spi.ec2;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;

import java.util.List;

/// The label keys of the AWS provider, and what they mean to a cluster that runs on it.
public final class Ec2Labels {

    private static final String DOMAIN = "karpenter.k8s.aws";

    public static final String ZONE_ID = "topology.k8s.aws/zone-id";
    public static final String RESERVATION_ID = DOMAIN + "/capacity-reservation-id";
    public static final String RESERVATION_TYPE = DOMAIN + "/capacity-reservation-type";
    public static final String RESERVATION_INTERRUPTIBLE =
            DOMAIN + "/capacity-reservation-interruptible";
    public static final String CPU = DOMAIN + "/instance-cpu";
    public static final String CPU_MANUFACTURER = DOMAIN + "/instance-cpu-manufacturer";
    public static final String CPU_CLOCK = DOMAIN + "/instance-cpu-sustained-clock-speed-mhz";
    public static final String MEMORY = DOMAIN + "/instance-memory";
    public static final String EBS_BANDWIDTH = DOMAIN + "/instance-ebs-bandwidth";
    public static final String NETWORK_BANDWIDTH = DOMAIN + "/instance-network-bandwidth";
    public static final String CATEGORY = DOMAIN + "/instance-category";
    public static final String GENERATION = DOMAIN + "/instance-generation";
    public static final String FAMILY = DOMAIN + "/instance-family";
    public static final String SIZE = DOMAIN + "/instance-size";
    public static final String FLEX = DOMAIN + "/instance-capability-flex";
    public static final String LOCAL_NVME = DOMAIN + "/instance-local-nvme";
    public static final String GPU_NAME = DOMAIN + "/instance-gpu-name";
    public static final String GPU_MANUFACTURER = DOMAIN + "/instance-gpu-manufacturer";
    public static final String GPU_COUNT = DOMAIN + "/instance-gpu-count";
    public static final String GPU_MEMORY = DOMAIN + "/instance-gpu-memory";
    public static final String ACCELERATOR_NAME = DOMAIN + "/instance-accelerator-name";
    public static final String ACCELERATOR_MANUFACTURER =
            DOMAIN + "/instance-accelerator-manufacturer";
    public static final String ACCELERATOR_COUNT = DOMAIN + "/instance-accelerator-count";
    public static final String HYPERVISOR = DOMAIN + "/instance-hypervisor";
    public static final String ENCRYPTION_IN_TRANSIT =
            DOMAIN + "/instance-encryption-in-transit-supported";
    public static final String TENANCY = DOMAIN + "/instance-tenancy";
    public static final String PLACEMENT_GROUP_ID = DOMAIN + "/placement-group-id";
    public static final String PLACEMENT_GROUP_PARTITION = DOMAIN + "/placement-group-partition";

    /// Both tenancies, for which Karpenter uses the prices of shared tenancy.
    public static final List<String> TENANCIES = List.of("dedicated", "default");

    /// Core's words and the AWS provider's.
    public static final LabelVocabulary VOCABULARY =
            LabelVocabulary.CORE
                    .withWellKnown(
                            List.of(
                                    ZONE_ID,
                                    RESERVATION_ID,
                                    RESERVATION_TYPE,
                                    RESERVATION_INTERRUPTIBLE,
                                    CPU,
                                    CPU_MANUFACTURER,
                                    CPU_CLOCK,
                                    MEMORY,
                                    EBS_BANDWIDTH,
                                    NETWORK_BANDWIDTH,
                                    CATEGORY,
                                    GENERATION,
                                    FAMILY,
                                    SIZE,
                                    FLEX,
                                    LOCAL_NVME,
                                    GPU_NAME,
                                    GPU_MANUFACTURER,
                                    GPU_COUNT,
                                    GPU_MEMORY,
                                    ACCELERATOR_NAME,
                                    ACCELERATOR_MANUFACTURER,
                                    ACCELERATOR_COUNT,
                                    HYPERVISOR,
                                    ENCRYPTION_IN_TRANSIT,
                                    TENANCY,
                                    PLACEMENT_GROUP_ID,
                                    PLACEMENT_GROUP_PARTITION))
                    .withRestrictedDomain(DOMAIN)
                    .withAlias("topology.ebs.csi.aws.com/zone", LabelKeys.ZONE)
                    .withKnownValues(TENANCY, TENANCIES)
                    .withReservationIdKey(RESERVATION_ID);

    private Ec2Labels() {}
}
