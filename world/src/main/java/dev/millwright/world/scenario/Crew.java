package dev.millwright.world.scenario;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.chance.Chance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The Deployments of a cluster: few big ones and many small ones that share a number of pods.
final class Crew {

    /// One Deployment and how many pods it has on an ordinary day.
    record Member(String name, int replicas) {}

    /// The biggest takes this share of what is left, and so on.
    private static final double BIGGEST_SHARE = 0.35;

    private final List<Member> members = new ArrayList<>();
    private final Chance chance;

    private Crew(Chance chance) {
        this.chance = chance;
    }

    static Crew of(String prefix, int pods, int deployments, Chance chance) {
        var crew = new Crew(chance);
        var left = pods;
        for (var number = 1; number <= deployments && left > 0; number++) {
            var isLast = number == deployments;
            var count = isLast ? left : Math.max(1, (int) Math.round(left * BIGGEST_SHARE));
            crew.members.add(new Member("%s-%d".formatted(prefix, number), Math.min(count, left)));
            left -= count;
        }
        return crew;
    }

    List<Member> members() {
        return List.copyOf(members);
    }

    Member any() {
        return chance.pick(members);
    }

    /// All there at the start, of all sizes.
    Crew hired(ScriptDraft draft) {
        for (var member : members) {
            draft.first(Sizes.workload(member.name(), chance).deployment(member.replicas()));
        }
        return this;
    }

    /// Now and then one is scaled up or down by up to the share.
    void sway(ScriptDraft draft, Plot plot, int times, double share) {
        for (var time = 0; time < times; time++) {
            var member = any();
            var span = Math.max(1, (int) Math.round(member.replicas() * share));
            var replicas = Math.max(0, member.replicas() + chance.between(-span, span));
            draft.scale(plot.sometime(), ResourceType.DEPLOYMENT, member.name(), replicas);
        }
    }

    /// Each at so many pods of its ordinary hundred.
    void scaleAll(ScriptDraft draft, Duration at, double level) {
        for (var member : members) {
            draft.scale(
                    at.plus(chance.between(Duration.ZERO, Duration.ofSeconds(30))),
                    ResourceType.DEPLOYMENT,
                    member.name(),
                    Math.max(1, (int) Math.round(member.replicas() * level)));
        }
    }
}
