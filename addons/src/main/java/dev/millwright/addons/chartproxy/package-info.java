/// Has one job: which release proxies a chart proxy has, and what they say. Imports the objects,
/// the ports, the graph, the rollout and the shell's steps.
@NullMarked
package dev.millwright.addons.chartproxy;

import org.jspecify.annotations.NullMarked;
