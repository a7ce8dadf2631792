package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.quantity.Quantity;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// How an image starts its kubelet, and what disks it expects.
public enum AmiFamily {
    AL2("AL2", Traits.LINUX, Disks.AMAZON_LINUX),
    AL2023("AL2023", Traits.LINUX, Disks.AMAZON_LINUX),
    BOTTLEROCKET("Bottlerocket", Traits.BOTTLEROCKET, Disks.BOTTLEROCKET),
    CUSTOM("Custom", Traits.LINUX, Disks.NONE),
    WINDOWS2019("Windows2019", Traits.WINDOWS, Disks.WINDOWS),
    WINDOWS2022("Windows2022", Traits.WINDOWS, Disks.WINDOWS),
    WINDOWS2025("Windows2025", Traits.WINDOWS, Disks.WINDOWS);

    /// What the kubelet of a family reckons with.
    public record Traits(
            boolean isMemoryOverheadByInterfaces,
            boolean isPodsPerCoreHeeded,
            boolean isDensityByInterfaces) {
        private static final Traits LINUX = new Traits(true, true, true);
        private static final Traits BOTTLEROCKET = new Traits(false, false, true);
        private static final Traits WINDOWS = new Traits(false, true, false);
    }

    private record Disk(String name, String size) {
        BlockDeviceMapping mapping() {
            return new BlockDeviceMapping(
                    name, BlockDeviceMapping.Ebs.encrypted(Quantity.parse(size), "gp3"), false);
        }
    }

    /// The disks of an image, and which of them holds the pods' own files.
    private record Disks(List<Disk> all, @Nullable String ephemeral) {
        private static final Disks AMAZON_LINUX =
                new Disks(List.of(new Disk("/dev/xvda", "20Gi")), "/dev/xvda");
        private static final Disks BOTTLEROCKET =
                new Disks(
                        List.of(new Disk("/dev/xvda", "4Gi"), new Disk("/dev/xvdb", "20Gi")),
                        "/dev/xvdb");
        private static final Disks WINDOWS =
                new Disks(List.of(new Disk("/dev/sda1", "50Gi")), "/dev/sda1");

        /// The image decides.
        private static final Disks NONE = new Disks(List.of(), null);
    }

    private final String text;
    private final Traits traits;
    private final Disks disks;

    AmiFamily(String text, Traits traits, Disks disks) {
        this.text = text;
        this.traits = traits;
        this.disks = disks;
    }

    /// The family of that name as `amiFamily` has it, or null.
    public static @Nullable AmiFamily find(String text) {
        for (var family : values()) {
            if (family.text.equals(text)) {
                return family;
            }
        }
        return null;
    }

    public String text() {
        return text;
    }

    /// The name in an alias, e.g. `al2023`. Custom has none: no alias means it.
    public String aliasName() {
        return text.toLowerCase(Locale.ROOT);
    }

    public Traits traits() {
        return traits;
    }

    public boolean isWindows() {
        return windowsBuild() != null;
    }

    /// The disks of a class that names none.
    public List<BlockDeviceMapping> defaultDevices() {
        return disks.all().stream().map(Disk::mapping).toList();
    }

    /// The disk whose size is the nodes' ephemeral storage; null where the image decides.
    public @Nullable String ephemeralDevice() {
        return disks.ephemeral();
    }

    /// The value of `node.kubernetes.io/windows-build`; null for Linux.
    public @Nullable String windowsBuild() {
        return switch (this) {
            case WINDOWS2019 -> "10.0.17763";
            case WINDOWS2022 -> "10.0.20348";
            case WINDOWS2025 -> "10.0.26100";
            case AL2, AL2023, BOTTLEROCKET, CUSTOM -> null;
        };
    }
}
