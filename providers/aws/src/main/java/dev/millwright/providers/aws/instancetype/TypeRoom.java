package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.BlockDeviceMapping;
import dev.millwright.providers.aws.nodeclass.NetworkInterface;
import dev.millwright.spi.ec2.Ec2Resources;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What a machine holds under a class, and what of it the system keeps.
///
/// Quantities that the class states are read here; one that is none is a
/// [dev.millwright.core.quantity.QuantityFormatException], or of a percentage a
/// [NumberFormatException].
final class TypeRoom {

    private static final BigDecimal WHOLE_PERCENT = BigDecimal.valueOf(100);
    private static final long BYTES_PER_GIGABYTE = 1_000_000_000;

    /// What Windows nodes take, whose pods have no interfaces of their own.
    private static final long PODS_DEFAULT = 110;

    private static final String EVICTION_OF_MEMORY = "memory.available";
    private static final String EVICTION_OF_STORAGE = "nodefs.available";

    private final KnownType type;
    private final ClassFacts facts;
    private final TypeSettings settings;

    TypeRoom(KnownType type, ClassFacts facts, TypeSettings settings) {
        this.type = type;
        this.facts = facts;
        this.settings = settings;
    }

    /// @param discovered what nodes of the type were seen to have, or null
    Resources capacity(@Nullable Quantity discovered) {
        var capacity =
                Ec2Resources.hardware(type.machine())
                        .with(Resources.MEMORY, discovered == null ? memory() : discovered)
                        .with(Resources.EPHEMERAL_STORAGE, storage())
                        .with(Resources.PODS, Quantity.ofUnits(pods()))
                        .with(Ec2Resources.EFA, Quantity.ofUnits(efas()));
        var runsWindows =
                facts.family().isWindows() && type.machine().architecture().equals("amd64");
        return runsWindows
                ? capacity.with(
                        Ec2Resources.PRIVATE_IPV4_ADDRESS,
                        Quantity.ofUnits(type.windowsAddresses()))
                : capacity;
    }

    Overhead overhead() {
        var pods =
                facts.family().traits().isMemoryOverheadByInterfaces()
                        ? interfaceLimitedPods(0)
                        : pods();
        return new Overhead(
                Ec2Resources.kubeReserved(type.machine(), pods)
                        .overriddenBy(stated(facts.kubelet().kubeReserved())),
                stated(facts.kubelet().systemReserved()),
                evictionThreshold());
    }

    long pods() {
        var kubelet = facts.kubelet();
        var pods = podsBeforeCores(kubelet.maxPods());
        var podsPerCore = kubelet.podsPerCore();
        return podsPerCore == null
                        || podsPerCore <= 0
                        || !facts.family().traits().isPodsPerCoreHeeded()
                ? pods
                : Math.min(pods, podsPerCore * type.machine().processor().vcpus());
    }

    private long podsBeforeCores(@Nullable Integer maxPods) {
        if (maxPods != null) {
            return maxPods;
        }
        return facts.family().traits().isDensityByInterfaces()
                ? interfaceLimitedPods(settings.reservedInterfaces())
                : PODS_DEFAULT;
    }

    private long interfaceLimitedPods(int reserved) {
        return Ec2Resources.interfaceLimitedPods(type.machine(), reserved + efaOnlyOnFirstCard());
    }

    /// An interface for EFA alone takes a place on its card and gives no pod an address.
    private long efaOnlyOnFirstCard() {
        var interfaces = facts.interfaces();
        return interfaces == null
                ? 0
                : interfaces.stream()
                        .filter(each -> each.networkCardIndex() == 0)
                        .filter(each -> each.type() == NetworkInterface.Type.EFA_ONLY)
                        .count();
    }

    private long efas() {
        var interfaces = facts.interfaces();
        return interfaces == null
                ? type.machine().network().efaMax()
                : Compatibility.efaOnly(interfaces);
    }

    private Quantity memory() {
        return Ec2Resources.memory(type.machine(), settings.memoryOverhead());
    }

    private Quantity storage() {
        var local = type.machine().storage().localGigabytes();
        if (facts.isRaid0() && local != null) {
            return Quantity.ofUnits(local * BYTES_PER_GIGABYTE);
        }
        var stated = statedStorage(facts.devices());
        return stated == null ? familyStorage() : stated;
    }

    private @Nullable Quantity statedStorage(List<BlockDeviceMapping> devices) {
        for (var device : devices) {
            var size = size(device);
            if (device.isRoot() && size != null) {
                return size;
            }
        }
        if (devices.isEmpty()) {
            return null;
        }
        return facts.family() == AmiFamily.CUSTOM ? size(devices.getLast()) : ephemeral(devices);
    }

    private Quantity familyStorage() {
        var own = ephemeral(facts.family().defaultDevices());
        return own == null ? Ec2Resources.ROOT_VOLUME : own;
    }

    private @Nullable Quantity ephemeral(List<BlockDeviceMapping> devices) {
        var wanted = facts.family().ephemeralDevice();
        for (var device : devices) {
            if (wanted != null && wanted.equals(device.deviceName())) {
                return size(device);
            }
        }
        return null;
    }

    private static @Nullable Quantity size(BlockDeviceMapping device) {
        var ebs = device.ebs();
        return ebs == null ? null : ebs.volumeSize();
    }

    /// What must stay free, or the kubelet evicts. A soft threshold keeps nothing from pods.
    private Resources evictionThreshold() {
        var hard = facts.kubelet().evictionHard();
        return Resources.of(
                        Resources.MEMORY,
                        threshold(
                                hard.get(EVICTION_OF_MEMORY),
                                memory(),
                                Ec2Resources.EVICTION_MEMORY))
                .with(
                        Resources.EPHEMERAL_STORAGE,
                        threshold(
                                hard.get(EVICTION_OF_STORAGE),
                                storage(),
                                storage().percentCeiling(Ec2Resources.EVICTION_STORAGE_PERCENT)));
    }

    private static Quantity threshold(@Nullable String stated, Quantity whole, Quantity usual) {
        if (stated == null) {
            return usual;
        }
        if (!stated.endsWith("%")) {
            return Quantity.parse(stated);
        }
        var percent = new BigDecimal(stated.substring(0, stated.length() - 1));
        // All of it means, to the kubelet, that it never evicts.
        return percent.compareTo(WHOLE_PERCENT) == 0
                ? Quantity.ZERO
                : whole.percentCeiling(percent);
    }

    private static Resources stated(SequencedMap<String, String> texts) {
        var amounts = new TreeMap<String, Quantity>();
        texts.forEach((name, text) -> amounts.put(name, Quantity.parse(text)));
        return new Resources(amounts);
    }
}
