/// Has one job: what pools cost by the hour.
@NullMarked
package dev.millwright.controllers.pricing;

import org.jspecify.annotations.NullMarked;
