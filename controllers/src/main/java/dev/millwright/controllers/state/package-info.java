/// What this process knows of the cluster that no object says: memories that controllers share. A
/// restart empties them.
@NullMarked
package dev.millwright.controllers.state;

import org.jspecify.annotations.NullMarked;
