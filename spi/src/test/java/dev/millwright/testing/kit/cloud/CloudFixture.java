package dev.millwright.testing.kit.cloud;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.Given;

import org.junit.jupiter.api.Assumptions;

/// What [CloudProviderContract] needs to try a provider. What a cloud cannot do is left as it is
/// here, and the test that needs it is skipped.
public interface CloudFixture extends AutoCloseable {

    CloudProvider provider();

    /// A class that is there and ready.
    NodeClassRef readyClass();

    /// A label that counts something on every machine: its values are whole numbers.
    String numericLabel();

    /// Lets pass what is under way: machines come up, machines go.
    void settle();

    default NodePool nodePool() {
        return Given.nodePool("default").nodePool();
    }

    /// The claim's object, for a provider that looks it up.
    default void put(MachineClaim claim) {}

    /// Whether the cloud tells a type that nobody sells from one that ran out.
    default boolean isNamingUnknownTypes() {
        return true;
    }

    default NodeClassRef missingClass() {
        return Assumptions.abort("this cloud does not look at classes");
    }

    default NodeClassRef classNotReady() {
        return Assumptions.abort("this cloud does not look at classes");
    }

    /// From now on nobody can buy this type.
    default void runOut(String instanceType) {
        Assumptions.abort("this cloud never runs out");
    }

    /// From now on the cloud does not answer a list.
    default void breakListing() {
        Assumptions.abort("this cloud always answers a list");
    }

    /// From now on machines that were launched before are not what their class describes.
    default void outdateMachines() {
        Assumptions.abort("machines of this cloud do not drift");
    }

    @Override
    default void close() {}
}
