package dev.millwright.addons.chartproxy;

import java.time.Duration;

/// How the chart proxies' controller works.
///
/// @param atOnce proxies that are looked at at once
/// @param syncPeriod how soon everything is looked at again without a change
public record ChartProxySettings(int atOnce, Duration syncPeriod) {

    public static final ChartProxySettings DEFAULT =
            new ChartProxySettings(10, Duration.ofMinutes(10));
}
