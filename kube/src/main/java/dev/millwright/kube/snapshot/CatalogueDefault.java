package dev.millwright.kube.snapshot;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;

import java.util.List;
import java.util.function.Supplier;

/// The machines to choose from when the files bring none, and the words of their provider. The
/// types are asked for only then: a catalogue takes time to read.
public record CatalogueDefault(Supplier<List<InstanceType>> types, LabelVocabulary vocabulary) {}
