/// Has one job: the definitions of the add-ons' kinds, as YAML. Imports the Kubernetes edge only.
@NullMarked
package dev.millwright.addons.crd;

import org.jspecify.annotations.NullMarked;
