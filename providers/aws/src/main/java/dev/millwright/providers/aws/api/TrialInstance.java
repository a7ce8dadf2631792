package dev.millwright.providers.aws.api;

import java.util.List;
import java.util.SequencedMap;

/// An instance to be asked about, never launched.
///
/// @param tags of the instance, its volumes and its interfaces
/// @param interfaces only card, device and type count
public record TrialInstance(
        String templateName,
        String instanceType,
        String subnetId,
        String imageId,
        List<LaunchTemplate.Interface> interfaces,
        SequencedMap<String, String> tags) {

    public TrialInstance {
        interfaces = List.copyOf(interfaces);
    }
}
