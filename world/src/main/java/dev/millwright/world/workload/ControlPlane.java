package dev.millwright.world.workload;

import dev.millwright.world.chance.Chance;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.kubelet.KubeletSettings;
import dev.millwright.world.kubelet.Kubelets;
import dev.millwright.world.scheduler.KubeScheduler;
import dev.millwright.world.scheduler.SchedulerSettings;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

/// Everything of Kubernetes around an operator: scheduler, controllers and nodes over one store.
public final class ControlPlane {

    public record Settings(
            SchedulerSettings scheduler, WorkloadSettings workloads, KubeletSettings kubelets) {

        public static Settings usual() {
            return new Settings(
                    SchedulerSettings.usual(), WorkloadSettings.usual(), KubeletSettings.usual());
        }
    }

    private final Ledger ledger;
    private final Kubelets kubelets;
    private final KubeScheduler scheduler;

    public ControlPlane(ApiStore store, Agenda agenda, Chance chance, Settings settings) {
        ledger = new Ledger(store);
        kubelets = new Kubelets(ledger, agenda, chance.stream("kubelet"), settings.kubelets());
        var workloads = settings.workloads();
        new ReplicaSets(ledger, agenda, workloads);
        new Deployments(ledger, agenda, workloads);
        new StatefulSets(ledger, agenda, workloads);
        new DaemonSets(ledger, agenda, workloads);
        new Jobs(ledger, agenda, workloads);
        new DisruptionBudgets(ledger, agenda, workloads);
        new Provisioning(ledger, agenda, chance.stream("volumes"), workloads);
        new Attachments(ledger, agenda, chance.stream("attachments"), workloads, kubelets);
        new NodeLifecycle(ledger, agenda, chance.stream("nodes"), workloads, kubelets);
        new TaintEviction(ledger, agenda, workloads);
        new PodCollector(ledger, agenda, chance.stream("collector"), workloads);
        scheduler =
                new KubeScheduler(ledger, agenda, chance.stream("scheduler"), settings.scheduler());
    }

    public Ledger ledger() {
        return ledger;
    }

    public Kubelets kubelets() {
        return kubelets;
    }

    public KubeScheduler scheduler() {
        return scheduler;
    }
}
