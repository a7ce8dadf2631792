package dev.millwright.capi.machine.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Which objects belong to which, as Kubernetes' own controllers have it: by one controlling owner,
/// taken and given up as labels say.
public final class Ownership {

    /// The oldest first.
    public static final Comparator<RawObject> BY_AGE =
            Comparator.comparing((RawObject each) -> each.meta().createdAt())
                    .thenComparing(RawObject::name);

    private Ownership() {}

    /// The objects of an owner, the oldest first, and the writes that make it so.
    public record Claimed(List<RawObject> mine, List<Effect> effects) {
        public Claimed {
            mine = List.copyOf(mine);
            effects = List.copyOf(effects);
        }
    }

    public static @Nullable OwnerReference controller(Meta meta) {
        for (var owner : meta.owners()) {
            if (owner.isController()) {
                return owner;
            }
        }
        return null;
    }

    public static boolean isControlledBy(RawObject child, RawObject owner) {
        var controller = controller(child.meta());
        return controller != null && controller.uid().equals(owner.meta().uid());
    }

    /// The key of the controlling owner, when that is of this kind.
    public static List<ObjectName> ownerKey(Kind<RawObject> kind, RawObject child) {
        var controller = controller(child.meta());
        return controller != null && controller.kind().equals(kind.type().kind())
                ? List.of(new ObjectName(child.name().namespace(), controller.name()))
                : List.of();
    }

    /// Whether an owner gives up what its selector no longer matches.
    public enum Release {
        BY_LABELS,
        NEVER
    }

    /// Takes what nobody controls and the selector matches. What is being deleted stays where it
    /// is.
    public static Claimed claim(
            Kind<RawObject> childKind,
            Collection<RawObject> children,
            OwnerReference owner,
            Selector selector,
            Release release) {
        var mine = new ArrayList<RawObject>();
        var effects = new ArrayList<Effect>();
        for (var child : children) {
            var controller = controller(child.meta());
            var isMatching = selector.matches(child.meta().labels());
            var isDeleting = child.meta().isDeleting();
            if (controller == null) {
                if (isMatching && !isDeleting) {
                    mine.add(child);
                    var owners = new ArrayList<>(child.meta().owners());
                    owners.add(owner);
                    effects.add(owned(childKind, child, owners));
                }
            } else if (controller.uid().equals(owner.uid())) {
                if (isMatching || isDeleting || release == Release.NEVER) {
                    mine.add(child);
                } else {
                    effects.add(
                            owned(
                                    childKind,
                                    child,
                                    child.meta().owners().stream()
                                            .filter(each -> !each.uid().equals(owner.uid()))
                                            .toList()));
                }
            }
        }
        mine.sort(BY_AGE);
        return new Claimed(mine, effects);
    }

    private static Effect owned(
            Kind<RawObject> kind, RawObject child, List<OwnerReference> owners) {
        List<Value.Mapping> values = owners.stream().map(OwnerReference::value).toList();
        return Patches.metadata(kind, child, Tree.of().putList("ownerReferences", values));
    }

    /// In the owner's namespace.
    public static List<RawObject> beside(Collection<RawObject> all, RawObject owner) {
        var namespace = owner.name().namespace();
        return all.stream().filter(each -> each.name().namespace().equals(namespace)).toList();
    }
}
