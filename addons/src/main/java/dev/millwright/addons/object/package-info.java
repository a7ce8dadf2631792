/// Has one job: what the kinds of the add-ons are called, and how their objects are read. Imports
/// the Kubernetes edge only.
@NullMarked
package dev.millwright.addons.object;

import org.jspecify.annotations.NullMarked;
