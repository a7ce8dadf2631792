package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.ec2NodeClass;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An EC2NodeClass' settings of kubelets.
@Tag("AWS-A9")
@ExtendWith(AdmissionExtension.class)
final class Ec2KubeletIT {

    private final Admission admission;

    Ec2KubeletIT(Admission admission) {
        this.admission = admission;
    }

    private static Sample kubelet(String fields) {
        return ec2NodeClass().with("kubelet", yaml("{%s}".formatted(fields)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "clusterDNS: [10.0.100.10, 10.0.100.11]",
                "maxPods: 0",
                "maxPods: 110, podsPerCore: 0",
                "systemReserved: {cpu: 100m, memory: 1Gi, ephemeral-storage: '1e9', pid: '100'}",
                "kubeReserved: {cpu: '1', memory: .5Gi}",
                "evictionHard: {memory.available: 5%, nodefs.available: 100Mi, nodefs.inodesFree: 10.5%}",
                "evictionHard: {imagefs.available: 100%, imagefs.inodesFree: '10', pid.available: '1'}",
                "evictionSoft: {memory.available: 5%}, evictionSoftGracePeriod: {memory.available: 1m}",
                "evictionSoft: {}",
                "evictionMaxPodGracePeriod: 60",
                "imageGCHighThresholdPercent: 100, imageGCLowThresholdPercent: 0",
                "imageGCLowThresholdPercent: 10",
                "cpuCFSQuota: false"
            })
    void settingsOfTheKubeletAreTaken(String fields) {
        admission.accepts(kubelet(fields));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    maxPods: -1                                      | spec.kubelet.maxPods
                    podsPerCore: -1                                  | spec.kubelet.podsPerCore
                    kubeReserved: {memory: -1Gi}                     | must not be negative
                    systemReserved: {memory: -1Gi}                   | must not be negative
                    kubeReserved: {gpu: '1'}                         | can be reserved
                    systemReserved: {gpu: '1'}                       | can be reserved
                    kubeReserved: {cpu: much}                        | spec.kubelet.kubeReserved
                    evictionHard: {memory: 5%}                       | the signals are
                    evictionHard: {memory.available: 101%}           | spec.kubelet.evictionHard
                    evictionHard: {memory.available: much}           | spec.kubelet.evictionHard
                    evictionSoft: {memory: 5%}, evictionSoftGracePeriod: {memory: 1m} | the signals are
                    evictionSoft: {memory.available: 5%}             | needs its time in evictionSoftGracePeriod
                    evictionSoftGracePeriod: {memory.available: 1m}  | needs its threshold in evictionSoft
                    evictionSoft: {memory.available: 5%}, evictionSoftGracePeriod: {pid.available: 1m} | needs its time
                    imageGCHighThresholdPercent: 101                 | spec.kubelet.imageGCHighThresholdPercent
                    imageGCLowThresholdPercent: -1                   | spec.kubelet.imageGCLowThresholdPercent
                    imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 50 | must be above
                    imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 60 | must be above
                    """)
    void settingsOfTheKubeletAreNothingElse(String fields, String words) {
        admission.refuses(kubelet(fields), words);
    }
}
