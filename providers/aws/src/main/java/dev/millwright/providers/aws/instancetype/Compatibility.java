package dev.millwright.providers.aws.instancetype;

import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.NetworkInterface;

import java.util.List;

/// Whether EC2 would launch a type the way a class wants it. A type that does not fit is listed all
/// the same, without an offering that is available.
final class Compatibility {

    private static final String UNSUPPORTED = "unsupported";
    private static final String NITRO = "nitro";
    private static final String NESTED_VIRTUALIZATION = "nested-virtualization";

    /// Amazon Linux 2023 does not start on the first Graviton.
    private static final String WITHOUT_AL2023_PREFIX = "a1.";

    private Compatibility() {}

    static boolean fits(InstanceTypeInfo type, ClassFacts facts) {
        var interfaces = facts.interfaces();
        var group = facts.group();
        var hasImage =
                facts.family() != AmiFamily.AL2023
                        || !type.name().startsWith(WITHOUT_AL2023_PREFIX);
        return hasImage
                && (interfaces == null || takes(type.network(), interfaces))
                && (!facts.isNestedVirtualizationOn()
                        || type.processor().features().contains(NESTED_VIRTUALIZATION))
                && (group == null || type.placementStrategies().contains(group.strategy()))
                && (!facts.isConnectionTracked() || type.hypervisor().equals(NITRO));
    }

    private static boolean takes(
            InstanceTypeInfo.Network network, List<NetworkInterface> interfaces) {
        var cards = network.interfacesPerCard();
        if (cards.isEmpty() || network.enaSupport().equals(UNSUPPORTED)) {
            return false;
        }
        for (var wanted : interfaces) {
            if (wanted.networkCardIndex() >= cards.size()
                    || wanted.deviceIndex() >= cards.get(wanted.networkCardIndex())) {
                return false;
            }
        }
        return efaOnly(interfaces) <= network.efaMax();
    }

    static long efaOnly(List<NetworkInterface> interfaces) {
        return interfaces.stream()
                .filter(each -> each.type() == NetworkInterface.Type.EFA_ONLY)
                .count();
    }
}
