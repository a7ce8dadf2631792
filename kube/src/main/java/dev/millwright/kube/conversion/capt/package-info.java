/// What becomes of objects of CAPT, the Cluster API provider. Imports `kube.document` alone.
@NullMarked
package dev.millwright.kube.conversion.capt;

import org.jspecify.annotations.NullMarked;
