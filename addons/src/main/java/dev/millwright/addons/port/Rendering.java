package dev.millwright.addons.port;

import dev.millwright.kube.document.Value;

import java.util.List;

/// Renders templates of values by Helm's own engine.
public interface Rendering {

    /// One answer for each input, in order. What is wrong with one concerns no other.
    ///
    /// @param inputs what `.` is: `Cluster`, `ControlPlane`, `InfraCluster`, `outputs`
    List<Answer> render(String template, List<Value.Mapping> inputs);

    sealed interface Answer {

        record Text(String text) implements Answer {}

        record Failed(String message) implements Answer {}
    }
}
