package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.ImageInfo;
import dev.millwright.testing.kit.aws.TestAccount;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Images, and the parameters that lead to them: what AWS publishes for one version of Kubernetes,
/// of each variant the newest image and an older one, which is deprecated, and four images of the
/// account's own. `fixture.py` of the endpoint has the same.
final class FakeImages {

    private static final String AMAZON = "602401143452";
    private static final String BOTTLEROCKET = "092701018921";
    private static final String DEPRECATED_AT = "2026-03-01T00:00:00.000Z";
    private static final String OLD_DAY = "2026-01-01";
    private static final String NEW_DAY = "2026-09-01";
    private static final Map<String, String> EC2_NAMES =
            Map.of("amd64", "x86_64", "arm64", "arm64");
    private static final String AMAZON_LINUX = "/aws/service/eks/optimized-ami/%s/amazon-linux-%s";

    private final SequencedMap<String, FakeListed<ImageInfo>> images = new LinkedHashMap<>();
    private final SequencedMap<String, String> parameters = new TreeMap<>();

    FakeImages(String version) {
        amazonLinux(version, "al2", "amd64", "standard", "", "");
        amazonLinux(version, "al2", "arm64", "standard", "-arm64", "-arm64");
        amazonLinux(version, "al2", "amd64", "gpu", "-gpu", "-gpu");
        for (var variant : List.of("standard", "nvidia", "neuron")) {
            amazonLinux2023(version, "amd64", variant);
        }
        for (var variant : List.of("standard", "nvidia")) {
            amazonLinux2023(version, "arm64", variant);
        }
        for (var architecture : List.of("amd64", "arm64")) {
            bottlerocket(version, architecture, "standard", "");
            bottlerocket(version, architecture, "nvidia", "-nvidia");
        }
        for (var year : List.of("2019", "2022", "2025")) {
            windows(version, year);
        }
        var own = List.of("x86_64", "x86_64", "x86_64", "arm64");
        for (var number = 1; number <= own.size(); number++) {
            var tags =
                    List.of(
                            Tree.of("Key", "Name").put("Value", "test-ami-" + number).mapping(),
                            Tree.of("Key", "foo").put("Value", "bar").mapping());
            add(
                    Tree.of("ImageId", "ami-test" + number)
                            .put("Name", "test-ami-" + number)
                            .put("Architecture", own.get(number - 1))
                            .put("CreationDate", "2026-0" + number + "-01T00:00:00.000Z")
                            .putList("Tags", tags));
        }
    }

    /// @param pathWord what the parameter's path says of architecture and variant
    /// @param nameWord what the image's name says of them
    private void amazonLinux(
            String version,
            String family,
            String architecture,
            String variant,
            String pathWord,
            String nameWord) {
        var path = AMAZON_LINUX.formatted(version, "2") + pathWord + "/%s/image_id";
        var name = "amazon-eks%s-node-%s-%%s".formatted(nameWord, version);
        published(family + architecture + variant, architecture, path, name);
    }

    private void amazonLinux2023(String version, String architecture, String variant) {
        var ec2Name = EC2_NAMES.get(architecture);
        var path =
                AMAZON_LINUX.formatted(version, "2023")
                        + "/%s/%s/%%s/image_id".formatted(ec2Name, variant);
        var name = "amazon-eks-node-al2023-%s-%s-%s-%%s".formatted(ec2Name, variant, version);
        published("al2023" + architecture + variant, architecture, path, name);
    }

    private void published(String id, String architecture, String path, String name) {
        var newest = "ami-" + id;
        var newName = name.formatted("v20260901");
        var oldName = name.formatted("v20260101");
        publish(newest + "old", oldName, architecture, OLD_DAY, AMAZON, true);
        publish(newest, newName, architecture, NEW_DAY, AMAZON, false);
        parameters.put(path.formatted(oldName), newest + "old");
        parameters.put(path.formatted(newName), newest);
        parameters.put(path.formatted("recommended"), newest);
    }

    private void bottlerocket(String version, String architecture, String variant, String suffix) {
        var newest = "ami-bottlerocket" + architecture + variant;
        var kind = "aws-k8s-" + version + suffix;
        var ec2Name = EC2_NAMES.get(architecture);
        var name = "bottlerocket-%s-%s-v%%s-0000000".formatted(kind, ec2Name);
        var path = "/aws/service/bottlerocket/%s/%s/%%s/image_id".formatted(kind, ec2Name);
        var before = name.formatted("1.45.0");
        publish(newest + "old", before, architecture, OLD_DAY, BOTTLEROCKET, true);
        publish(newest, name.formatted("1.46.0"), architecture, NEW_DAY, BOTTLEROCKET, false);
        parameters.put(path.formatted("1.45.0"), newest + "old");
        parameters.put(path.formatted("1.46.0"), newest);
        parameters.put(path.formatted("latest"), newest);
    }

    private void windows(String version, String year) {
        var name = "Windows_Server-%s-English-Core-EKS_Optimized-%s".formatted(year, version);
        publish("ami-windows" + year, name + "-2026.09.01", "amd64", NEW_DAY, AMAZON, false);
        parameters.put(
                "/aws/service/ami-windows-latest/%s/image_id".formatted(name),
                "ami-windows" + year);
    }

    private void publish(
            String id,
            String name,
            String architecture,
            String day,
            String owner,
            boolean isDeprecated) {
        var image =
                Tree.of("ImageId", id)
                        .put("Name", name)
                        .put("Architecture", Objects.requireNonNull(EC2_NAMES.get(architecture)))
                        .put("CreationDate", day + "T00:00:00.000Z")
                        .put("OwnerId", owner)
                        .put("ImageOwnerAlias", "amazon");
        add(isDeprecated ? image.put("DeprecationTime", DEPRECATED_AT) : image);
    }

    /// Adds or replaces one, in the names of EC2's API.
    void add(Tree image) {
        var given = image.mapping();
        var id = Objects.requireNonNull(given.text("ImageId"), "an image wants an ImageId");
        var created = ApiNames.instant(given, "CreationDate");
        var info =
                new ImageInfo(
                        id,
                        ApiNames.text(given, "Name", id),
                        ApiNames.text(given, "Architecture", "x86_64"),
                        created == null ? Instant.parse("2026-01-01T00:00:00Z") : created,
                        ApiNames.instant(given, "DeprecationTime"));
        images.put(id, FakeListed.of(info, fields(info, given), ApiNames.tags(given)));
    }

    private static Map<String, String> fields(ImageInfo info, Value.Mapping given) {
        return Map.of(
                "image-id",
                info.id(),
                "name",
                info.name(),
                "architecture",
                info.architecture(),
                "state",
                ApiNames.text(given, "State", "available"),
                "owner-id",
                ApiNames.text(given, "OwnerId", TestAccount.ACCOUNT),
                "owner-alias",
                ApiNames.text(given, "ImageOwnerAlias", ""));
    }

    List<ImageInfo> select(List<String> owners, List<Filter> filters) throws AwsFault {
        var owned =
                images.values().stream()
                        .filter(image -> owners.isEmpty() || isOwned(image, owners))
                        .toList();
        return FakeListed.select(owned, filters);
    }

    private static boolean isOwned(FakeListed<ImageInfo> image, List<String> owners) {
        var owner = image.fields().getOrDefault("owner-id", List.of());
        var alias = image.fields().getOrDefault("owner-alias", List.of());
        return owners.stream()
                .map(each -> each.equals("self") ? TestAccount.ACCOUNT : each)
                .anyMatch(each -> owner.contains(each) || alias.contains(each));
    }

    /// Null when there is none.
    @Nullable ImageInfo find(String id) {
        var found = images.get(id);
        return found == null ? null : found.item();
    }

    /// @param value null to take it away
    void parameter(String name, @Nullable String value) {
        if (value == null) {
            parameters.remove(name);
        } else {
            parameters.put(name, value);
        }
    }

    String parameter(String name) throws AwsFault {
        var found = parameters.get(name);
        if (found == null) {
            throw AwsFault.refused("ParameterNotFound", "Parameter %s not found.".formatted(name));
        }
        return found;
    }
}
