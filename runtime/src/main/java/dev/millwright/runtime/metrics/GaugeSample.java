package dev.millwright.runtime.metrics;

import java.util.List;

/// One gauge's value, with the values of its family's labels in their order.
public record GaugeSample(MetricFamily family, double value, List<String> labels) {

    public GaugeSample {
        labels = List.copyOf(labels);
        if (labels.size() != family.labels().size()) {
            throw new IllegalArgumentException(
                    "%s has labels %s; found values %s"
                            .formatted(family.name(), family.labels(), labels));
        }
    }
}
