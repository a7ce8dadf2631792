/// Has one job: the machines that can be bought. It imports only `quantity` and `label`.
@NullMarked
package dev.millwright.core.catalog;

import org.jspecify.annotations.NullMarked;
