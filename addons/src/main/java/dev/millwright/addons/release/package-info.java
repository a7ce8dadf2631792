/// Has one job: what is to be done for one release on one cluster. Imports the objects, the ports
/// and the shell's steps.
@NullMarked
package dev.millwright.addons.release;

import org.jspecify.annotations.NullMarked;
