package dev.millwright.capi.machine.roll;

import dev.millwright.capi.machine.roll.RollPlan.Make;
import dev.millwright.capi.machine.roll.RollPlan.Resize;
import dev.millwright.capi.machine.roll.RollPlan.Sets;
import dev.millwright.capi.machine.roll.RollPlan.Settled;
import dev.millwright.capi.machine.roll.RollPlan.Size;
import dev.millwright.capi.machine.roll.RollPlan.Wait;

import java.util.ArrayList;
import java.util.List;

/// From the old sets to the newest one, up before down, one of them at a time.
final class Rollout {

    private Rollout() {}

    static RollPlan rolling(Bounds bounds, Sets sets) {
        var newest = sets.newest();
        var room = Math.max(0, bounds.most() - sets.occupied());
        if (newest == null) {
            return new Make(Math.min(room, bounds.replicas()));
        }
        if (newest.wanted() > bounds.replicas()) {
            return new Resize(List.of(new Size(newest.name(), bounds.replicas())));
        }
        var growth = Math.min(room, bounds.replicas() - newest.wanted());
        if (growth > 0) {
            return new Resize(List.of(new Size(newest.name(), newest.wanted() + growth)));
        }
        var cuts = cuts(bounds, sets, newest);
        if (!cuts.isEmpty()) {
            return new Resize(cuts);
        }
        return newest.wanted() == bounds.replicas()
                        && sets.old().stream().noneMatch(SetCount::isActive)
                ? new Settled()
                : new Wait("machines of the newest set are not available yet");
    }

    /// First machines that serve nobody: an old one that is not available is worth nothing, as long
    /// as those of the newest set that are not available yet are not counted upon. Then as many as
    /// can be spared.
    private static List<Size> cuts(Bounds bounds, Sets sets, SetCount newest) {
        var unready = newest.wanted() - newest.safe();
        var idle = Math.max(0, sets.wanted() - bounds.least() - unready);
        var spare = Math.max(0, sets.safe() - bounds.least());
        var cuts = new ArrayList<Size>();
        for (var set : sets.old()) {
            var useless = Math.min(idle, set.wanted() - set.safe());
            idle -= useless;
            var left = set.wanted() - useless;
            var spared = Math.min(spare, left);
            spare -= spared;
            if (useless + spared > 0) {
                cuts.add(new Size(set.name(), left - spared));
            }
        }
        return cuts;
    }

    static RollPlan recreate(Bounds bounds, Sets sets) {
        var active = sets.old().stream().filter(SetCount::isActive).toList();
        if (!active.isEmpty()) {
            return new Resize(active.stream().map(set -> new Size(set.name(), 0)).toList());
        }
        if (sets.old().stream().anyMatch(set -> set.there() > 0)) {
            return new Wait("old machines are not gone yet");
        }
        var newest = sets.newest();
        if (newest == null) {
            return new Make(bounds.replicas());
        }
        return newest.wanted() == bounds.replicas()
                ? new Settled()
                : new Resize(List.of(new Size(newest.name(), bounds.replicas())));
    }
}
