package dev.millwright.providers.aws.nodeclass;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.spi.NodeClassKind;

import java.util.List;

/// An EC2NodeClass as the API server holds it.
///
/// What cannot be read is left out and told among the faults; the spec as it was written is kept
/// for the hash, to which a field left out and an empty one are two things.
public record Ec2NodeClass(
        Meta meta,
        NodeClassSpec spec,
        NodeClassStatus status,
        List<Condition> conditions,
        Value.Mapping writtenSpec,
        List<String> faults) {

    public static final NodeClassKind KIND =
            new NodeClassKind(NodeClassKeys.GROUP, "v1", "ec2nodeclasses", "EC2NodeClass");

    public static final ResourceType TYPE =
            new ResourceType(KIND.group(), KIND.version(), KIND.plural(), KIND.kind(), false);

    public Ec2NodeClass {
        conditions = List.copyOf(conditions);
        faults = List.copyOf(faults);
    }

    public static Ec2NodeClass of(NodeClassObject object) {
        var faults = new Faults();
        var name = KIND.kind() + " " + object.meta().name().name();
        var spec = SpecReader.spec(Field.root(name, object.spec(), faults));
        var faultsOfSpec = faults.shown().stream().map(Ec2NodeClass::text).toList();
        // The status is ours: what is odd there is written anew, and nobody's to mend.
        var status = StatusReader.status(Field.root(name, object.status(), new Faults()));
        return new Ec2NodeClass(
                object.meta(), spec, status, object.conditions(), object.spec(), faultsOfSpec);
    }

    private static String text(Fault fault) {
        return "spec.%s: %s".formatted(fault.field(), fault.problem());
    }

    public String name() {
        return meta.name().name();
    }
}
