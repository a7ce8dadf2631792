/// Has one job: pictures as text for a terminal, and that text as escape sequences or as an SVG. It
/// imports `picture`.
@NullMarked
package dev.millwright.dashboard.terminal;

import org.jspecify.annotations.NullMarked;
