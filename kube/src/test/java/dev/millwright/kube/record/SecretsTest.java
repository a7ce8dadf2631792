package dev.millwright.kube.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.InflaterInputStream;

final class SecretsTest {

    /// Wherever people and programs put what nobody else should read.
    private static final String CLUSTER =
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: web
              namespace: shop
              labels: {app: web}
              annotations:
                token: hush-hush
                kubectl.kubernetes.io/last-applied-configuration: '{"password":"hush-hush"}'
                karpenter.sh/do-not-disrupt: "true"
            spec:
              imagePullSecrets: [{name: hush-hush}]
              containers:
              - name: main
                image: registry/hush-hush
                command: [run, --password=hush-hush]
                env: [{name: PASSWORD, value: hush-hush}]
                resources: {requests: {cpu: 500m}}
              volumes:
              - name: keys
                secret: {secretName: hush-hush}
              - name: files
                hostPath: {path: /hush-hush}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: one, annotations: {token: hush-hush}}
            ---
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general, annotations: {token: hush-hush}}
            spec:
              template:
                metadata: {annotations: {token: hush-hush}}
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: []
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: keys, namespace: shop}
            stringData: {password: hush-hush}
            """;

    private static String contents(byte[] record) throws IOException {
        var head = RecordFormat.firstLine().length;
        var packed = new ByteArrayInputStream(record, head, record.length - head);
        return new String(
                new InflaterInputStream(packed).readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void noSecretOfTheClusterGetsIntoTheRecord() throws IOException {
        var record = Samples.record(List.of(Samples.planned(CLUSTER, Samples.NOON)));
        assertThat(contents(record)).contains("web", "do-not-disrupt").doesNotContain("hush");
    }
}
