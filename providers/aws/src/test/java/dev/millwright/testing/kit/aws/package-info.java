/// Has one job: a real AWS endpoint for tests, over HTTP on loopback. It starts the program of
/// `testing/aws-endpoint` once a JVM and tells it what to do. It imports `kube`'s documents and the
/// words of `providers.aws`.
@NullMarked
package dev.millwright.testing.kit.aws;

import org.jspecify.annotations.NullMarked;
