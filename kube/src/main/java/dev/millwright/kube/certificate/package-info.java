/// Has one job: certificates that servers of ours are trusted by, of our own making or from files.
/// The JDK reads X.509 and does not write it, so the few forms we need are written here. It imports
/// nothing of ours.
@NullMarked
package dev.millwright.kube.certificate;

import org.jspecify.annotations.NullMarked;
