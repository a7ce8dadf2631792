package dev.millwright.providers.aws.api;

import java.util.SequencedMap;

/// A launch template that is there.
public record TemplateInfo(String id, String name, SequencedMap<String, String> tags) {}
