package dev.millwright.kube.object;

import org.jspecify.annotations.Nullable;

/// A VolumeAttachment.
public record AttachmentObject(
        Meta meta, String nodeName, String attacher, @Nullable String persistentVolume)
        implements KubeObject {}
