/// Has one job: nodes whose capacity reservation ends, or has ended under them.
@NullMarked
package dev.millwright.providers.aws.controllers.capacityreservation;

import org.jspecify.annotations.NullMarked;
