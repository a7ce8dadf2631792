package dev.millwright.spi;

import dev.millwright.core.policy.NodePool;

import java.util.List;

/// A cloud: questions, each with an answer that says what happened.
///
/// Every call may block, may be repeated, and may come from many threads at once. No call throws
/// for what a cloud can say; an exception is a bug.
public interface CloudProvider {

    CloudTraits traits();

    /// Launches exactly one machine that meets every requirement of the claim and has at least its
    /// requests. Asked again with the same uid it answers with the machine it launched before.
    LaunchAnswer launch(MachineClaim claim);

    TerminateAnswer terminate(MachineClaim claim);

    FindAnswer find(String providerId);

    /// Every machine that belongs to this cluster, those that are going included.
    ListAnswer list();

    /// All types usable with the pool's NodeClass. Fast, because every pass asks for every pool;
    /// the same list object until something changed.
    CatalogAnswer catalog(NodePool nodePool);

    DriftAnswer drift(MachineClaim claim);

    /// Restarts the claim's machine, which stays what it is. `operation` names the wish: asked
    /// twice with the same one, the machine restarts once.
    default RebootAnswer reboot(MachineClaim claim, String operation) {
        return new RebootAnswer.Unsupported();
    }

    /// The machines that the cloud will take back.
    default NoticesAnswer notices() {
        return new NoticesAnswer.Never();
    }

    default List<RegistrationHook> registrationHooks() {
        return List.of();
    }
}
