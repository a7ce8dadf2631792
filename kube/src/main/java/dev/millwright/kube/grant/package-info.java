/// Has one job: whether an object may refer to one of another namespace. Imports the client and
/// objects as they are read.
@NullMarked
package dev.millwright.kube.grant;

import org.jspecify.annotations.NullMarked;
