/// Has one job: certificates of our own making, which a webhook of ours is trusted by. The JDK
/// reads X.509 and does not write it, so the few forms we need are written here. It imports nothing
/// of ours.
@NullMarked
package dev.millwright.kube.certificate;

import org.jspecify.annotations.NullMarked;
