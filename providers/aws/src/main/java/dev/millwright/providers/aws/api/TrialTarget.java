package dev.millwright.providers.aws.api;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What an action is tried on. Ids may be of things that are not there.
///
/// @param tags what a launch of ours would be tagged with
public record TrialTarget(
        String instanceId,
        String templateName,
        String subnetId,
        String imageId,
        SequencedMap<String, String> tags) {

    public TrialTarget {
        tags = Collections.unmodifiableSequencedMap(new TreeMap<>(tags));
    }
}
