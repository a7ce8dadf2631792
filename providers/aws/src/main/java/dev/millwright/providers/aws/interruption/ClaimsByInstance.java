package dev.millwright.providers.aws.interruption;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.ObjectCache;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.providers.aws.launch.Machines;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Finds claims by what AWS calls their machines. Messages come by the thousand, and most are about
/// machines of others: looking through all claims for each would take longer than all else.
final class ClaimsByInstance {

    private @Nullable View indexed;
    private ObjectCache.@Nullable Index<ClaimObject> index;

    /// Those that are this provider's; of one instance there is one, unless somebody copied it.
    List<ClaimObject> of(View view, String instanceId) {
        return index(view).with(instanceId).stream()
                .filter(claim -> view.isManaged(claim.spec().nodeClassRef()))
                .toList();
    }

    /// An index stays with its cache for good, so that it is made once a view.
    private synchronized ObjectCache.Index<ClaimObject> index(View view) {
        var made = index;
        if (made == null || indexed != view) {
            made = view.cache(Kind.NODE_CLAIM).index(ClaimsByInstance::instanceId);
            index = made;
            indexed = view;
        }
        return made;
    }

    private static String instanceId(ClaimObject claim) {
        var id = Machines.instanceId(claim.providerId());
        return id == null ? "" : id;
    }
}
