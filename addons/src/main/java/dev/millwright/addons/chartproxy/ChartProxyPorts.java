package dev.millwright.addons.chartproxy;

import dev.millwright.addons.port.Rendering;
import dev.millwright.addons.port.Surroundings;

/// All that a chart proxy's steps ask besides their caches.
public record ChartProxyPorts(Rendering rendering, Surroundings surroundings) {}
