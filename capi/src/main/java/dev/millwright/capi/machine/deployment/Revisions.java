package dev.millwright.capi.machine.deployment;

import dev.millwright.capi.machine.object.MachineFacts;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.machine.object.Template;
import dev.millwright.capi.machine.object.Values;
import dev.millwright.capi.machine.roll.RollPlan;
import dev.millwright.capi.machine.roll.SetCount;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The sets of a deployment with their machines.
///
/// @param newest of the present template; null while there is none
/// @param old the others, the oldest first
record Revisions(@Nullable Revision newest, List<Revision> old) {

    /// One set.
    ///
    /// @param machines those that the set controls, those being deleted among them
    record Revision(RawObject set, List<MachineFacts> machines) {
        Revision {
            machines = List.copyOf(machines);
        }

        long number() {
            var text = set.meta().annotation(Marks.REVISION);
            return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        }

        int wanted() {
            return set.spec().at("replicas").whole(0, Integer.MAX_VALUE, 1);
        }

        List<MachineFacts> live() {
            return machines.stream().filter(MachineFacts::isLive).toList();
        }

        int available(Duration minReady, Instant now) {
            return Math.toIntExact(
                    live().stream().filter(each -> each.isAvailable(minReady, now)).count());
        }

        /// The template as the deployment had it.
        Value.Mapping template() {
            return Template.labelled(
                    Values.mapping(set.spec().at("template").value()), Marks.HASH, "");
        }

        boolean isObserved() {
            var seen = set.status().at("observedGeneration").whole(0, Long.MAX_VALUE);
            return seen != null && seen >= set.meta().generation();
        }

        /// A set that is being deleted takes all its machines with it, whatever its number says.
        SetCount count(Duration minReady, Instant now) {
            var isDeleting = set.meta().isDeleting();
            return new SetCount(
                    set.name().name(),
                    isDeleting ? 0 : wanted(),
                    live().size(),
                    available(minReady, now),
                    machines.size(),
                    isDeleting || isObserved(),
                    noted(Marks.DESIRED),
                    noted(Marks.MAX));
        }

        private @Nullable Integer noted(String annotation) {
            var text = set.meta().annotation(annotation);
            return text != null && text.matches("[0-9]{1,9}") ? Integer.valueOf(text) : null;
        }
    }

    Revisions {
        old = List.copyOf(old);
    }

    /// @param sets the oldest first
    static Revisions of(View view, List<RawObject> sets, Template template) {
        var machines = view.cache(CaptTypes.MACHINE).all();
        var all = new ArrayList<Revision>();
        for (var set : sets) {
            all.add(
                    new Revision(
                            set,
                            machines.stream()
                                    .filter(each -> Ownership.isControlledBy(each, set))
                                    .map(MachineFacts::of)
                                    .toList()));
        }
        // More than one only after a mishap; then the oldest, for ever the same.
        var newest =
                all.stream()
                        .filter(each -> !each.set().meta().isDeleting())
                        .filter(each -> isOf(each, template))
                        .findFirst()
                        .orElse(null);
        return new Revisions(newest, all.stream().filter(each -> !each.equals(newest)).toList());
    }

    /// By what both say now, or by what the deployment said when the set was made: a definition
    /// that fills in defaults in one kind and not in the other must not begin a rollout.
    private static boolean isOf(Revision revision, Template template) {
        return Values.areSame(revision.template(), template.value())
                || Values.hash(template.value(), "")
                        .equals(revision.set().meta().annotation(Marks.TEMPLATE_HASH));
    }

    List<Revision> all() {
        var all = new ArrayList<>(old);
        if (newest != null) {
            all.add(newest);
        }
        return all;
    }

    RollPlan.Sets counts(Duration minReady, Instant now) {
        return new RollPlan.Sets(
                newest == null ? null : newest.count(minReady, now),
                old.stream().map(each -> each.count(minReady, now)).toList());
    }

    /// The number that the newest set must have.
    long newestNumber() {
        var highest = old.stream().mapToLong(Revision::number).max().orElse(0);
        return newest != null && newest.number() > highest ? newest.number() : highest + 1;
    }

    /// The one of this number; 0 is the highest but the newest. Null when there is none.
    @Nullable Revision numbered(long number) {
        return number == 0
                ? old.stream()
                        .filter(each -> !each.set().meta().isDeleting())
                        .max(Comparator.comparingLong(Revision::number))
                        .orElse(null)
                : all().stream()
                        .filter(each -> !each.set().meta().isDeleting())
                        .filter(each -> each.number() == number)
                        .findFirst()
                        .orElse(null);
    }

    @Nullable Revision named(String set) {
        return all().stream()
                .filter(each -> each.set().name().name().equals(set))
                .findFirst()
                .orElse(null);
    }
}
