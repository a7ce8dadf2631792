/// Has one job: JSON and YAML text to values that know where they stood, and faults that say so. It
/// imports only `core`'s amounts.
@NullMarked
package dev.millwright.kube.document;

import org.jspecify.annotations.NullMarked;
