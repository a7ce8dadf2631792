package dev.millwright.core.explain;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Slips;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The labels that a pool asks something of: which nobody may ask for, and which look like a slip
/// of the pen.
final class PoolVocabulary {

    private final LabelVocabulary vocabulary;
    private final NodePool pool;

    PoolVocabulary(SchedulingProblem problem, NodePool pool) {
        this.vocabulary = problem.policy().vocabulary();
        this.pool = pool;
    }

    /// Requirements that nobody may make.
    List<Requirement> faults() {
        return pool.template().requirements().stream()
                .filter(each -> vocabulary.problem(each) != null)
                .toList();
    }

    List<PoolFinding> findings() {
        var findings = new ArrayList<PoolFinding>();
        for (var requirement : pool.template().requirements()) {
            var meant = meant(vocabulary, requirement.key());
            var problem = vocabulary.problem(requirement);
            if (problem != null) {
                findings.add(new PoolFinding.Faulty(problem, meant));
            } else if (meant != null) {
                findings.add(new PoolFinding.PerhapsMeant(requirement.key(), meant));
            }
        }
        return findings;
    }

    /// What might make requirements of what nobody may require.
    List<PoolChange> mends() {
        var mends = new LinkedHashSet<PoolChange>();
        for (var requirement : faults()) {
            var meant = meant(vocabulary, requirement.key());
            if (meant != null) {
                mends.add(new PoolChange.RenameRequirement(pool.name(), requirement.key(), meant));
            }
            mends.addAll(values(requirement));
            mends.add(new PoolChange.DropRequirement(pool.name(), requirement.key()));
        }
        return List.copyOf(mends);
    }

    /// Values that only look like known ones.
    private List<PoolChange> values(Requirement requirement) {
        var changes = new ArrayList<PoolChange>();
        for (var known : vocabulary.knownValues().getOrDefault(requirement.key(), List.of())) {
            for (var value : requirement.values()) {
                if (Slips.isLikely(value, known)) {
                    changes.add(
                            new PoolChange.ReplaceValue(
                                    pool.name(), requirement.key(), value, known));
                }
            }
        }
        return changes;
    }

    /// The well-known label that was perhaps meant by another; null for one that is well known, and
    /// for one that is somebody's own.
    static @Nullable String meant(LabelVocabulary vocabulary, String key) {
        if (vocabulary.wellKnown().contains(key)) {
            return null;
        }
        var nearest = Slips.nearest(key, vocabulary.wellKnown());
        var isOwn = key.contains("/") && !vocabulary.isRestricted(key);
        return nearest != null || isOwn ? nearest : hint(vocabulary, key);
    }

    private static @Nullable String hint(LabelVocabulary vocabulary, String key) {
        var asked = Requirements.of(Requirement.exists(key));
        return Requirements.NONE.mismatch(asked, vocabulary.wellKnown())
                        instanceof Mismatch.Undefined(_, var hint)
                ? hint
                : null;
    }
}
