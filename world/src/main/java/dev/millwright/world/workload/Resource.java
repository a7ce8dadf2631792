package dev.millwright.world.workload;

import dev.millwright.kube.client.ResourceType;

/// Resources that only a control plane knows.
final class Resource {

    static final ResourceType JOB = new ResourceType("batch", "v1", "jobs", "Job", true);

    private Resource() {}
}
