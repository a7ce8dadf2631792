/// Has one job: recorded decisions made again, compared and shown. Imports core, the dashboard and
/// kube's records.
@NullMarked
package dev.millwright.cli.replay;

import org.jspecify.annotations.NullMarked;
