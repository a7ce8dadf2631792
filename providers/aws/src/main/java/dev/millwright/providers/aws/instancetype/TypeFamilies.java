package dev.millwright.providers.aws.instancetype;

import dev.millwright.runtime.metrics.MetricFamily;

import java.util.List;

/// The metrics about types and offerings, under Karpenter's names.
public final class TypeFamilies {

    public static final MetricFamily CPU_CORES =
            MetricFamily.gauge(
                    "karpenter_cloudprovider_instance_type_cpu_cores",
                    "Virtual CPUs of an instance type.",
                    "instance_type");

    public static final MetricFamily MEMORY_BYTES =
            MetricFamily.gauge(
                    "karpenter_cloudprovider_instance_type_memory_bytes",
                    "Memory of an instance type, before anybody keeps a share of it.",
                    "instance_type");

    public static final MetricFamily OFFERING_AVAILABLE =
            MetricFamily.gauge(
                    "karpenter_cloudprovider_instance_type_offering_available",
                    "1 where some NodePool could buy the type, 0 otherwise.",
                    "instance_type",
                    "capacity_type",
                    "zone");

    public static final MetricFamily OFFERING_PRICE =
            MetricFamily.gauge(
                    "karpenter_cloudprovider_instance_type_offering_price_estimate",
                    "What an hour of the type is thought to cost.",
                    "instance_type",
                    "capacity_type",
                    "zone");

    public static final List<MetricFamily> ALL =
            List.of(CPU_CORES, MEMORY_BYTES, OFFERING_AVAILABLE, OFFERING_PRICE);

    private TypeFamilies() {}
}
