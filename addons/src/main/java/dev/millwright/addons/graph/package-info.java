/// Has one job: which chart proxy comes before which. Imports nothing.
@NullMarked
package dev.millwright.addons.graph;

import org.jspecify.annotations.NullMarked;
