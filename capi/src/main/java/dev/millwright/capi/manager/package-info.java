/// Has one job: the provider as a process. It reads the settings once, finds out what the
/// management cluster serves, and puts the loops of the roster on the shell that all operators
/// share.
@NullMarked
package dev.millwright.capi.manager;

import org.jspecify.annotations.NullMarked;
