/// Has one job: recorded decisions made again and compared. Imports core and kube's records.
@NullMarked
package dev.millwright.cli.replay;

import org.jspecify.annotations.NullMarked;
