/// What the operator would do, for people to read: reads a cluster as the operator would, asks core
/// for a forecast, and tries changes. It decides nothing itself.
@NullMarked
package dev.millwright.cli.plan;

import org.jspecify.annotations.NullMarked;
