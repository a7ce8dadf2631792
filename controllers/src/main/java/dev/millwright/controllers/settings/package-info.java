/// Has one job: what the operator was told when it was started, read once and checked at once.
/// Imports `core`'s policy, `kube`'s documents and the log's levels.
@NullMarked
package dev.millwright.controllers.settings;

import org.jspecify.annotations.NullMarked;
