/// Has one job: running Terraform for Workspaces: folders, processes, state and its lock. A shell:
/// it decides only what must be decided between two commands.
@NullMarked
package dev.millwright.capi.terraform;

import org.jspecify.annotations.NullMarked;
