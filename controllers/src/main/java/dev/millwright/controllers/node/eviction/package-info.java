/// Makes pods leave condemned nodes: by eviction, which budgets may refuse, and at the last moment
/// by deletion.
@NullMarked
package dev.millwright.controllers.node.eviction;

import org.jspecify.annotations.NullMarked;
