/// Talks to an API server: questions, writes and watches as values, and the client that carries
/// them.
@NullMarked
package dev.millwright.kube.client;

import org.jspecify.annotations.NullMarked;
