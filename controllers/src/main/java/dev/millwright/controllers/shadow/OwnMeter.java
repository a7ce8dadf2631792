package dev.millwright.controllers.shadow;

import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Passes on our own families alone: those of Karpenter's names belong to the Karpenter that runs
/// beside, and sums over both would be wrong.
public final class OwnMeter implements Meter {

    private final Set<MetricFamily> own = new HashSet<>(OwnFamilies.all());
    private final Meter meter;

    public OwnMeter(Meter meter) {
        this.meter = meter;
    }

    @Override
    public void count(MetricFamily family, double amount, List<String> labels) {
        if (own.contains(family)) {
            meter.count(family, amount, labels);
        }
    }

    @Override
    public void observe(MetricFamily family, double value, List<String> labels) {
        if (own.contains(family)) {
            meter.observe(family, value, labels);
        }
    }

    @Override
    public void replace(String owner, List<GaugeSample> samples) {
        meter.replace(owner, samples.stream().filter(each -> own.contains(each.family())).toList());
    }
}
