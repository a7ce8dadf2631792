/// Has one job: a CaptMachine or CaptMachinePool becomes infrastructure by an apply of its
/// WorkspaceTemplate, and says what came of it in the words of Cluster API's contracts.
@NullMarked
package dev.millwright.capi.machine.infrastructure;

import org.jspecify.annotations.NullMarked;
