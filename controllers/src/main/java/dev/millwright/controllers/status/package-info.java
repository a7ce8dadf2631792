/// Watches the conditions of our objects: measures how long each lasts, tells of each change, and
/// of finalizers that went.
@NullMarked
package dev.millwright.controllers.status;

import org.jspecify.annotations.NullMarked;
