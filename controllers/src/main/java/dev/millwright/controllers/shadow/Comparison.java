package dev.millwright.controllers.shadow;

import java.util.List;

/// One decision of theirs beside ours from the same state of the cluster, or one of ours that they
/// did not take.
///
/// Ours is never carried out: the next comparison begins with the cluster as it is, and not with
/// what it would have become.
sealed interface Comparison {

    /// What the decision is about, as metrics tell it.
    enum Kind {
        LAUNCH,
        REMOVE,
        WAIT
    }

    Kind kind();

    boolean isAgreed();

    Bill theirs();

    Bill ours();

    /// They launched machines. Where ours agrees, it is taken to have bought the same: which of the
    /// types that would do the cloud picks is not a decision.
    ///
    /// @param pods for how many pods ours would have launched
    /// @param waiting how many pods ours would have left waiting
    record Launched(
            List<ShadowMachine> machines,
            List<ShadowMachine> wouldBe,
            int pods,
            int waiting,
            boolean isAgreed)
            implements Comparison {

        public Launched {
            machines = List.copyOf(machines);
            wouldBe = List.copyOf(wouldBe);
        }

        @Override
        public Kind kind() {
            return Kind.LAUNCH;
        }

        @Override
        public Bill theirs() {
            return Bill.launched(machines);
        }

        @Override
        public Bill ours() {
            return Bill.launched(isAgreed ? machines : wouldBe);
        }
    }

    /// They took a node away that was in working order.
    ///
    /// @param isCounted ours was counted before, when they had let it stand for long
    record Removed(String node, String reason, Bill theirs, boolean isAgreed, boolean isCounted)
            implements Comparison {

        @Override
        public Kind kind() {
            return Kind.REMOVE;
        }

        @Override
        public Bill ours() {
            return isAgreed && !isCounted ? theirs : Bill.NONE;
        }
    }

    /// They kept nodes, for a long while, that ours would have taken away.
    record Kept(List<String> nodes, String reason, Bill ours) implements Comparison {

        public Kept {
            nodes = List.copyOf(nodes);
        }

        @Override
        public Kind kind() {
            return Kind.REMOVE;
        }

        @Override
        public boolean isAgreed() {
            return false;
        }

        @Override
        public Bill theirs() {
            return Bill.NONE;
        }
    }

    /// They left pods waiting, for a long while, that ours would have launched machines for. What
    /// those cost is in no sum: when they launch after all, it is compared then.
    record LeftWaiting(List<String> pods, List<ShadowMachine> wouldBe) implements Comparison {

        public LeftWaiting {
            pods = List.copyOf(pods);
            wouldBe = List.copyOf(wouldBe);
        }

        @Override
        public Kind kind() {
            return Kind.WAIT;
        }

        @Override
        public boolean isAgreed() {
            return false;
        }

        @Override
        public Bill theirs() {
            return Bill.NONE;
        }

        @Override
        public Bill ours() {
            return Bill.NONE;
        }
    }
}
