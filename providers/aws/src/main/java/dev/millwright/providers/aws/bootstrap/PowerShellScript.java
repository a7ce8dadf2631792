package dev.millwright.providers.aws.bootstrap;

/// Windows: what the class wants run, then the image's own script, as one block of PowerShell.
final class PowerShellScript {

    private PowerShellScript() {}

    static UserData userData(BootstrapInput input) {
        var cluster = input.cluster();
        var text = new StringBuilder("<powershell>\n");
        if (!input.customText().isEmpty()) {
            text.append(input.customText()).append('\n');
        }
        text.append(
                "[string]$EKSBootstrapScriptFile ="
                        + " \"$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1\"\n");
        text.append("& $EKSBootstrapScriptFile -EKSClusterName '%s'".formatted(cluster.name()));
        text.append(" -APIServerEndpoint '%s'".formatted(cluster.endpoint()));
        if (cluster.caBundle() != null) {
            text.append(" -Base64ClusterCA '%s'".formatted(cluster.caBundle()));
        }
        text.append(" -KubeletExtraArgs '%s'".formatted(KubeletArguments.of(input)));
        var dns = input.kubelet().clusterDns();
        if (!dns.isEmpty()) {
            text.append(" -DNSClusterIP '%s'".formatted(dns.getFirst()));
        }
        return new UserData.Written(text.append("\n</powershell>").toString());
    }
}
