/// Has one job: what is measured, by name, and the registry that exposes it. It names the only
/// metrics library; of ours it imports `core`'s labels.
@NullMarked
package dev.millwright.controllers.metrics;

import org.jspecify.annotations.NullMarked;
