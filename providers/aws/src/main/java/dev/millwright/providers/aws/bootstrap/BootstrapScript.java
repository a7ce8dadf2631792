package dev.millwright.providers.aws.bootstrap;

import java.util.ArrayList;
import java.util.regex.Pattern;

/// Amazon Linux 2: a shell script that calls the image's own, after whatever the class wants run.
final class BootstrapScript {

    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private BootstrapScript() {}

    static UserData userData(BootstrapInput input) {
        var parts = new ArrayList<MimeArchive.Part>();
        var custom = input.customText();
        if (MimeArchive.isArchive(custom)) {
            try {
                parts.addAll(MimeArchive.read(custom).parts());
            } catch (MimeException failure) {
                return new UserData.Invalid("userData: " + failure.getMessage());
            }
        } else if (!custom.isEmpty()) {
            parts.add(MimeArchive.Part.shell(custom));
        }
        parts.add(MimeArchive.Part.shell(script(input)));
        return new UserData.Written(new MimeArchive(parts).text());
    }

    /// The image's script reads each option and its value as two words.
    private static String script(BootstrapInput input) {
        var cluster = input.cluster();
        var call = new ArrayList<String>();
        call.add(
                "/etc/eks/bootstrap.sh '%s' --apiserver-endpoint '%s'"
                                .formatted(cluster.name(), cluster.endpoint())
                        + (cluster.caBundle() == null
                                ? ""
                                : " --b64-cluster-ca '%s'".formatted(cluster.caBundle())));
        var dns = input.kubelet().clusterDns();
        if (!dns.isEmpty()) {
            if (!IPV4.matcher(dns.getFirst()).matches()) {
                call.add("--ip-family ipv6");
            }
            call.add("--dns-cluster-ip '%s'".formatted(dns.getFirst()));
        }
        if (input.kubelet().maxPods() != null) {
            call.add("--use-max-pods false");
        }
        call.add("--kubelet-extra-args '%s'".formatted(KubeletArguments.of(input)));
        if (input.isRaid0()) {
            call.add("--local-disks raid0");
        }
        return """
               #!/bin/bash -xe
               exec > >(tee /var/log/user-data.log|logger -t user-data -s 2>/dev/console) 2>&1
               """
                + String.join(" \\\n", call);
    }
}
