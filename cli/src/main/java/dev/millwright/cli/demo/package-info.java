/// Has one job: a world that people watch. A workload by a script, a picture of what happens, and
/// time that runs faster than ours. It imports `world` and `dashboard`, and nothing of the
/// commands.
@NullMarked
package dev.millwright.cli.demo;

import org.jspecify.annotations.NullMarked;
