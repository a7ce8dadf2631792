/// Has one job: labels: requirements, selectors, taints. It imports only `quantity`.
@NullMarked
package dev.millwright.core.label;

import org.jspecify.annotations.NullMarked;
