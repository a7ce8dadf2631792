package dev.millwright.addons.port;

import dev.millwright.addons.object.ChartSource;
import dev.millwright.core.cluster.ObjectName;

/// Which version of a chart a range or no version at all means.
public interface Charts {

    /// At most a minute old. While it is being found out, the proxy is rung when it is over.
    Newest newest(ChartSource source, ObjectName proxy);

    sealed interface Newest {

        record Version(String version) implements Newest {}

        record UnderWay() implements Newest {}

        record Failed(Trouble trouble) implements Newest {}
    }
}
