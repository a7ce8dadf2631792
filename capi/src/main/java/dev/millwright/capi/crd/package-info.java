/// The definitions of this provider's kinds, as files that `capi/tools/definitions.py` writes.
/// Imports `capi.object` for their names and `kube`.
@NullMarked
package dev.millwright.capi.crd;

import org.jspecify.annotations.NullMarked;
