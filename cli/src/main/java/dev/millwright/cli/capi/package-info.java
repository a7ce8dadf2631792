/// Has one job: a cluster's tree on the command line, from the API server or a file to text. It
/// decides nothing; `capi.tree` makes the tree.
@NullMarked
package dev.millwright.cli.capi;

import org.jspecify.annotations.NullMarked;
