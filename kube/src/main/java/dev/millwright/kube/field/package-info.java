/// Which fields objects have, and which of a file's are none. May import kube.document and core.
@NullMarked
package dev.millwright.kube.field;

import org.jspecify.annotations.NullMarked;
