package dev.millwright.providers.sim;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Source;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Reads a file of instance types in the form of Karpenter's kwok provider: a list of types, each
/// with its offerings. Every offering counts as available, whatever the file says.
final class KwokTypesFile {

    /// What a node holds where the file says nothing.
    private static final Quantity PODS_DEFAULT = Quantity.ofUnits(110);

    /// `m5.large`: the size stands behind the dot.
    private static final Pattern SIZED_NAME =
            Pattern.compile("\\w+\\.(nano|micro|small|medium|large|[0-9]*xlarge|metal)");

    private static final Pattern FAMILY_END = Pattern.compile("[.-]");

    private final List<InstanceType> types = new ArrayList<>();
    private final TreeSet<String> keys = new TreeSet<>();
    private final TreeSet<String> names = new TreeSet<>();

    private KwokTypesFile() {}

    static KwokTypes read(Source source) {
        var documents = DocumentReader.readAll(source);
        var faults = new Faults();
        var file = new KwokTypesFile();
        for (var document : documents) {
            for (var type : Field.root("instance types", document, faults).elements()) {
                file.add(type);
            }
        }
        faults.throwIfAny();
        return new KwokTypes(file.types, KwokCatalogue.VOCABULARY.withWellKnown(file.keys));
    }

    private void add(Field stated) {
        var name = stated.at("name").requiredText("the instance type's name");
        var type = stated.named("instance type " + Shortened.of(name));
        if (!names.add(name)) {
            type.at("name").fault("stands in the file twice; wanted each type once");
        }
        var resources = type.at("resources").resources();
        var offerings = new ArrayList<Offering>();
        for (var offering : type.at("offerings").elements()) {
            var read = offering(offering);
            if (read != null) {
                offerings.add(read);
            }
        }
        types.add(
                new InstanceType(
                        name,
                        requirements(name, type, resources, offerings),
                        offerings,
                        resources.has(Resources.PODS)
                                ? resources
                                : resources.with(Resources.PODS, PODS_DEFAULT),
                        KwokCatalogue.OVERHEAD));
    }

    private static Requirements requirements(
            String name, Field type, Resources resources, List<Offering> offerings) {
        var cpu = text(resources, Resources.CPU);
        return Requirements.of(
                Requirement.in(LabelKeys.INSTANCE_TYPE, name),
                in(LabelKeys.ARCH, List.of(type.at("architecture").text("amd64"))),
                in(LabelKeys.OS, type.at("operatingSystems").textList()),
                in(LabelKeys.ZONE, offerings.stream().map(Offering::zone).toList()),
                in(
                        LabelKeys.CAPACITY_TYPE,
                        offerings.stream().map(Offering::capacityType).toList()),
                Requirement.in(KwokCatalogue.SIZE, size(name, cpu)),
                Requirement.in(KwokCatalogue.FAMILY, family(name)),
                Requirement.in(KwokCatalogue.CPU, cpu),
                Requirement.in(KwokCatalogue.MEMORY, text(resources, Resources.MEMORY)));
    }

    private static String text(Resources resources, String name) {
        return resources.has(name) ? Resources.render(name, resources.amount(name)) : "";
    }

    private static Requirement in(String key, List<String> values) {
        return Requirement.of(key, Operator.IN, null, values);
    }

    static String size(String name, String cpu) {
        var matcher = SIZED_NAME.matcher(name);
        return matcher.matches() ? matcher.group(1) : cpu;
    }

    static String family(String name) {
        var parts = FAMILY_END.split(name, 2);
        return parts.length == 2 ? parts[0] : name.substring(0, Math.min(1, name.length()));
    }

    private @Nullable Offering offering(Field field) {
        var price = either(field, "Price").amount();
        var requirements = new ArrayList<Requirement>();
        for (var element : either(field, "Requirements").elements()) {
            var requirement = requirement(element);
            if (requirement != null) {
                requirements.add(requirement);
                keys.add(requirement.key());
            }
        }
        var all = Requirements.of(requirements);
        for (var key : List.of(LabelKeys.CAPACITY_TYPE, LabelKeys.ZONE)) {
            if (all.on(key).isComplement() || all.on(key).values().size() != 1) {
                either(field, "Requirements")
                        .fault("wanted one with the key %s, In, and one value".formatted(key));
                return null;
            }
        }
        return new Offering(
                all,
                price == null ? 0 : price,
                true,
                either(field, "ReservationCapacity").whole(0, Integer.MAX_VALUE, 0),
                Offering.Overrides.NONE,
                false);
    }

    private static @Nullable Requirement requirement(Field field) {
        var key = either(field, "key").requiredText("a label key");
        var operator = either(field, "operator");
        try {
            return Requirement.of(
                    KwokCatalogue.VOCABULARY.normalize(key),
                    Operator.parse(operator.text("")),
                    null,
                    either(field, "values").textList());
        } catch (IllegalArgumentException unknown) {
            operator.fault(String.valueOf(unknown.getMessage()));
            return null;
        }
    }

    /// Karpenter reads names of fields whatever their case; files in the wild begin them either
    /// way.
    private static Field either(Field field, String name) {
        var upper = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        var lower = Character.toLowerCase(name.charAt(0)) + name.substring(1);
        return field.at(upper).isPresent() ? field.at(upper) : field.at(lower);
    }
}
