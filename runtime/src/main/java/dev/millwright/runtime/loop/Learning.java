package dev.millwright.runtime.loop;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Value;

/// Takes the answers to our own writes into the caches, without waiting for the watch.
public final class Learning {

    private Learning() {}

    /// The answer is the newest there is of the object. A Status in its place says that it is gone.
    public static void learn(View view, ApiWrite write, Value.Mapping object) {
        if (write instanceof ApiWrite.Evict) {
            return;
        }
        var isStatus =
                object.fields().get("kind") instanceof Value.Text(_, var kind)
                        && kind.equals("Status");
        for (var cache : view.caches(write.type())) {
            if (!isStatus) {
                cache.put(object);
            } else if (write instanceof ApiWrite.Delete(_, var name, _, _)) {
                var known = cache.find(name);
                if (known != null && known.meta().uid().equals(deletedUid(object))) {
                    cache.forget(name, known.meta().uid());
                }
            }
        }
    }

    private static String deletedUid(Value.Mapping status) {
        return status.fields().get("details") instanceof Value.Mapping(_, var details)
                        && details.get("uid") instanceof Value.Text(_, var uid)
                ? uid
                : "";
    }
}
