/// Has one job: worlds of many seeds, as many at once as there are processors, and what came of
/// them. It imports `world`.
@NullMarked
package dev.millwright.cli.world;

import org.jspecify.annotations.NullMarked;
