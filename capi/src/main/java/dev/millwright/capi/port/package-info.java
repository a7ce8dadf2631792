/// Has one job: what steps ask of the API server besides their caches, as ports that a test can
/// stand in for. Imports the Kubernetes edge only.
@NullMarked
package dev.millwright.capi.port;

import org.jspecify.annotations.NullMarked;
