package dev.millwright.world.store;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import java.util.ArrayList;

/// Conditions that the server itself writes into a pod's status.
final class Conditions {

    private Conditions() {}

    /// The pod with this condition. One that keeps its status keeps the time it has had it since.
    static Value.Mapping put(Value.Mapping pod, Tree condition, String now) {
        var wanted = condition.mapping();
        var status = Trees.mapping(pod, "status");
        var conditions = new ArrayList<>(Trees.list(status, "conditions"));
        var place = -1;
        var since = now;
        for (var i = 0; i < conditions.size(); i++) {
            if (conditions.get(i) instanceof Value.Mapping known
                    && Trees.text(known, "type").equals(Trees.text(wanted, "type"))) {
                place = i;
                if (Trees.text(known, "status").equals(Trees.text(wanted, "status"))) {
                    since = Trees.text(known, "lastTransitionTime");
                }
            }
        }
        var dated = Trees.with(wanted, "lastTransitionTime", Trees.text(since));
        if (place < 0) {
            conditions.add(dated);
        } else {
            conditions.set(place, dated);
        }
        return Trees.with(pod, "status", Trees.with(status, "conditions", Tree.list(conditions)));
    }
}
