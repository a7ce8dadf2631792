package dev.millwright.cli;

import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;

/// Opens a cluster for a command that asks a few things and ends.
@FunctionalInterface
interface ClusterDoor {

    HttpKubeApi open(KubeAccess access);
}
