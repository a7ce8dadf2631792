/// Has one job: to read the inputs that fuzzing has found worth keeping. Imports the JDK alone.
@NullMarked
package dev.millwright.testing.kit.fuzz;

import org.jspecify.annotations.NullMarked;
