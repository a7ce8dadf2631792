/// Has one job: the conversion webhook. It serves an API server that asks for objects in another
/// version, and keeps certificate, definitions and stored objects such that it can ask. It imports
/// `kube.certificate`, `kube.client`, `kube.conversion`, `kube.crd` and `kube.document`.
@NullMarked
package dev.millwright.kube.webhook;

import org.jspecify.annotations.NullMarked;
