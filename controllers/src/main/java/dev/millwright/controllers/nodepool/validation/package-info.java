/// Has one job: whether a pool can be worked with, and what to mend where it cannot.
@NullMarked
package dev.millwright.controllers.nodepool.validation;

import org.jspecify.annotations.NullMarked;
