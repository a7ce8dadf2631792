package dev.millwright.runtime.process;

import dev.millwright.kube.client.KubeAccess;

import java.time.InstantSource;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// What of the world a process needs that is not in its settings.
///
/// @param uniqueId of this process alone, never used by another
public record ProcessSurroundings(
        KubeAccess access,
        String hostname,
        String uniqueId,
        String version,
        SequencedMap<String, String> environment,
        InstantSource clock,
        RandomGenerator random) {

    public ProcessSurroundings {
        environment = Collections.unmodifiableSequencedMap(new TreeMap<>(environment));
    }
}
