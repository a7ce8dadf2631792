/// Has one job: the user data by which an image of each family starts its kubelet and joins the
/// cluster. It is text from values; it may import core, kube's documents and the node class.
@NullMarked
package dev.millwright.providers.aws.bootstrap;

import org.jspecify.annotations.NullMarked;
