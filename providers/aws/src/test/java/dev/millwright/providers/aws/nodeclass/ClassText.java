package dev.millwright.providers.aws.nodeclass;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ObjectReader;

/// A class as YAML, in which a test replaces a line.
public record ClassText(String yaml) {

    /// The class whose hash Karpenter has published.
    static final ClassText PUBLISHED =
            new ClassText(
                    """
                    metadata: {name: default}
                    spec:
                      amiFamily: Custom
                      amiSelectorTerms: [{id: ami-1}]
                      subnetSelectorTerms: [{id: subnet-1}]
                      securityGroupSelectorTerms: [{id: sg-1}]
                      role: role-1
                      tags: {keyTag-1: valueTag-1, keyTag-2: valueTag-2}
                      context: fake-context
                      detailedMonitoring: false
                      associatePublicIPAddress: false
                      metadataOptions:
                        httpEndpoint: disabled
                        httpProtocolIPv6: disabled
                        httpPutResponseHopLimit: 1
                        httpTokens: optional
                      blockDeviceMappings:
                        - deviceName: map-device-1
                          ebs:
                            deleteOnTermination: false
                            encrypted: false
                            iops: 0
                            kmsKeyID: fakeKMSKeyID
                            snapshotID: fakeSnapshot
                            throughput: 0
                            volumeSize: 2G
                            volumeType: standard
                        - deviceName: map-device-2
                      userData: userdata-test-1
                    """);

    /// With another line, or several, in the place of one.
    ClassText replacing(String line, String with) {
        if (!yaml.contains(line)) {
            throw new IllegalArgumentException("no line \"%s\"".formatted(line));
        }
        return new ClassText(yaml.replace(line, with));
    }

    /// With one more field of the spec.
    ClassText with(String field) {
        return replacing("  userData: ", "  " + field + "\n  userData: ");
    }

    public Ec2NodeClass read() {
        var document = DocumentReader.readAll(Source.text("class", yaml)).getFirst();
        return Ec2NodeClass.of(
                new ObjectReader(LabelVocabulary.CORE).nodeClass((Value.Mapping) document));
    }

    String hash() {
        return NodeClassHash.of(read(), "test-ca-bundle");
    }
}
