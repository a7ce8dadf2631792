package dev.millwright.kube.conversion;

import dev.millwright.kube.conversion.capt.KindSpellings;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Documents of any age to what v1 wants, taken together: a class is found by the pools that name
/// it, and a profile in the settings that stood for all.
///
/// An object that is wrong is told and left out; the others go on.
public final class Migration {

    /// @param nodeRole role of nodes whose class names neither role nor profile; empty when not
    ///   known
    public record Options(boolean isIgnoringDefaults, String nodeRole) {
        public static final Options DEFAULT = new Options(false, "");
    }

    /// @param settings those of the old ConfigMap; null when there was none
    public record Result(
            List<Turned> turned,
            GlobalSettings.@Nullable Settings settings,
            List<Note> notes,
            List<Fault> faults) {
        public Result {
            turned = List.copyOf(turned);
            notes = List.copyOf(notes);
            faults = List.copyOf(faults);
        }

        /// With what was wrong before anything could be converted.
        public Result after(List<Fault> earlier) {
            var all = new ArrayList<>(earlier);
            all.addAll(faults);
            return new Result(turned, settings, notes, all);
        }

        /// All objects that came of it, in the order of what they came from; classes before the
        /// pools that name them where both came of one.
        public List<Value.Mapping> objects() {
            return turned.stream().flatMap(each -> each.after().stream()).toList();
        }
    }

    private final Options options;
    private final Notebook notes = new Notebook();
    private final List<Fault> faults = new ArrayList<>();
    private final List<Turned> turned = new ArrayList<>();
    private final List<Value.Mapping> claims = new ArrayList<>();

    private boolean isStatusTold;
    private GlobalSettings.@Nullable Made settings;

    private Migration(Options options) {
        this.options = options;
    }

    public static Result of(List<? extends Value> documents, Options options) {
        var migration = new Migration(options);
        documents.forEach(migration::document);
        migration.claims.forEach(migration::object); // They ask their pools.
        var defaults =
                new ClassDefaults(options, migration.settings, migration.notes)
                        .applied(migration.turned);
        var moved = new KubeletMove(migration.notes).applied(defaults);
        migration.refuseTwins(moved);
        var made = migration.settings;
        return new Result(
                moved,
                made == null ? null : made.settings(),
                migration.notes.notes(),
                migration.faults);
    }

    private void document(Value document) {
        switch (document) {
            case Value.Mapping object when isList(object) ->
                    Nested.list(object, "items").forEach(this::document);
            case Value.Mapping object when isClaim(object) -> claims.add(object);
            case Value.Mapping object -> object(object);
            case Value.Sequence(_, var elements) -> elements.forEach(this::document);
            case Value.Nothing _ -> {} // Between two lines of dashes.
            case Value.Text _, Value.Numeral _, Value.Flag _ ->
                    faults.add(
                            Fault.ofText(
                                    document.position(),
                                    "found %s; wanted Kubernetes objects"
                                            .formatted(document.describe())));
        }
    }

    private static boolean isList(Value.Mapping object) {
        var kind = object.text("kind");
        return kind != null
                && kind.endsWith("List")
                && Nested.find(object, "items") instanceof Value.Sequence;
    }

    private static boolean isClaim(Value.Mapping object) {
        var kind = object.text("kind");
        return "Machine".equals(kind) || "NodeClaim".equals(kind);
    }

    private void object(Value.Mapping object) {
        var wrong = new Faults();
        var unnamed = Field.root("object", object, wrong);
        var kind = unnamed.at("kind").requiredText("a kind such as Provisioner");
        var version =
                unnamed.at("apiVersion").requiredText("a version such as karpenter.sh/v1alpha5");
        var name = unnamed.at("metadata").at("name").requiredText("the object's name");
        if (!wrong.isEmpty()) {
            faults.addAll(wrong.shown());
            return;
        }
        var origin = "%s %s".formatted(kind, name);
        var field = unnamed.named(origin);
        var before = notes.mark();
        var after = converted(field, object, version, kind);
        if (wrong.isEmpty()) {
            turned.add(new Turned(origin, object, after));
        } else {
            notes.forgetFrom(before);
            faults.addAll(wrong.shown());
        }
    }

    private List<Value.Mapping> converted(
            Field field, Value.Mapping object, String version, String kind) {
        return switch (version + "/" + kind) {
            case OldKeys.ALPHA + "/Provisioner" -> provisioner(field);
            case OldKeys.ALPHA + "/Machine" ->
                    List.of(claim(field, Machines.converted(field, notes)));
            case OldKeys.AWS_ALPHA + "/AWSNodeTemplate" ->
                    List.of(nodeClass(field.at("spec"), NodeTemplates.ofObject(field, notes)));
            case OldKeys.BETA + "/NodePool" -> List.of(pool(field, OldMetadata.cleaned(object)));
            case OldKeys.BETA + "/NodeClaim" -> List.of(claim(field, OldMetadata.cleaned(object)));
            case OldKeys.AWS_BETA + "/EC2NodeClass" ->
                    List.of(nodeClass(field.at("spec"), OldMetadata.cleaned(object)));
            default -> other(field, object, version, kind);
        };
    }

    private List<Value.Mapping> other(
            Field field, Value.Mapping object, String version, String kind) {
        if (version.equals("v1") && kind.equals("ConfigMap") && GlobalSettings.is(field)) {
            settings = GlobalSettings.converted(field, notes);
            return List.of();
        }
        var group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
        var isOurs = group.equals(OldKeys.GROUP) || group.equals(OldKeys.AWS_GROUP);
        var isCurrent =
                version.equals(OldKeys.CURRENT)
                        || version.equals(OldKeys.AWS_CURRENT)
                        || kind.equals("NodeOverlay");
        if (isOurs && !isCurrent) {
            field.at("apiVersion")
                    .fault(
                            "found %s of %s; wanted Provisioner or Machine of v1alpha5, AWSNodeTemplate of v1alpha1, or NodePool, NodeClaim or EC2NodeClass of v1beta1"
                                    .formatted(kind, version));
            return List.of();
        }
        if (KindSpellings.mayBeNamedIn(group)) {
            return List.of(respelled(field, object));
        }
        notes.checkUnknown(field, kind);
        var cleaned = OldMetadata.cleaned(object);
        return Workloads.knows(kind)
                ? List.of(new Workloads(notes).converted(field, cleaned))
                : List.of(cleaned);
    }

    private Value.Mapping respelled(Field field, Value.Mapping object) {
        var made = KindSpellings.respelled(field, OldMetadata.cleaned(object));
        for (var place : made.places()) {
            notes.changed(place.field(), place.served(), place.reason());
        }
        return made.object();
    }

    private List<Value.Mapping> provisioner(Field field) {
        var made = new Provisioners(field, notes, options.isIgnoringDefaults()).converted();
        var pool = pool(field, made.pool());
        var nodeClass = made.nodeClass();
        return nodeClass == null
                ? List.of(pool)
                : List.of(nodeClass(field.at("spec").at("provider"), nodeClass), pool);
    }

    private Value.Mapping pool(Field origin, Value.Mapping beta) {
        if (origin.at("kind").text("").equals("NodePool")) {
            BetaNotes.pool(origin, notes);
        }
        return Nested.withoutAnnotation(
                Nested.without(NodePools.toCurrent(beta), "status"), OldKeys.CLASS_REFERENCE);
    }

    private Value.Mapping claim(Field origin, Value.Mapping beta) {
        var name = NodeClaims.nodePool(beta);
        var made = NodeClaims.toCurrent(beta, expireAfter(name));
        if (Kubelets.kept(made) != null) {
            notes.dropped(
                    origin.at("spec").at("kubelet"), "the machine runs already; nothing is to do");
        }
        if (!isStatusTold) {
            isStatusTold = true;
            tellStatus(origin, made);
        }
        return NodePools.withoutMarks(made);
    }

    /// Once: it is the same for all claims.
    private void tellStatus(Field origin, Value.Mapping made) {
        notes.check(
                origin.at("status"),
                "status of NodeClaim " + Nested.text(made, "metadata", "name"),
                "kubectl apply writes no status, and a claim without one is launched anew; use"
                        + " millwright migrate --apply for these");
    }

    /// That of a pool found before; else the API server's default counts.
    private @Nullable String expireAfter(String pool) {
        return turned.stream()
                .flatMap(each -> each.after().stream())
                .filter(object -> "NodePool".equals(object.text("kind")))
                .filter(object -> pool.equals(Nested.text(object, "metadata", "name")))
                .map(object -> Nested.text(object, "spec", "template", "spec", "expireAfter"))
                .filter(text -> text != null)
                .findFirst()
                .orElse(null);
    }

    private Value.Mapping nodeClass(Field spec, Value.Mapping beta) {
        BetaNotes.nodeClass(spec, beta, notes);
        var made = Nested.without(Ec2NodeClasses.toCurrent(beta), "status");
        return Nested.withoutAnnotation(made, OldKeys.UBUNTU);
    }

    /// Two objects of one name would overwrite each other.
    private void refuseTwins(List<Turned> all) {
        var seen = new HashMap<String, String>();
        for (var each : all) {
            for (var object : each.after()) {
                var name =
                        "%s %s/%s"
                                .formatted(
                                        object.text("kind"),
                                        ClassReferences.orEmpty(
                                                Nested.text(object, "metadata", "namespace")),
                                        Nested.text(object, "metadata", "name"));
                var first = seen.putIfAbsent(object.text("apiVersion") + " " + name, each.origin());
                if (first != null) {
                    faults.add(
                            new Fault(
                                    each.before().position(),
                                    each.origin(),
                                    "metadata.name",
                                    "becomes %s, as %s does; rename one of them"
                                            .formatted(name.replace(" /", " "), first)));
                }
            }
        }
    }
}
