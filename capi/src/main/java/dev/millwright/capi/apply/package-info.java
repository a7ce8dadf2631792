/// Has one job: from a WorkspaceTemplate and an apply of it to a Workspace, and away again.
@NullMarked
package dev.millwright.capi.apply;

import org.jspecify.annotations.NullMarked;
