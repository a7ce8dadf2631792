package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What Terraform told of one instance. What it did not tell is empty.
record Outputs(
        String instanceId,
        String zone,
        String privateIp,
        String publicIp,
        String privateDns,
        String publicDns,
        String providerId) {

    static final Outputs NONE = new Outputs("", "", "", "", "", "", "");

    private static final String APPLY_ENDING = "-apply";

    /// How a Node on AWS names its instance: zone, then instance.
    private static final Pattern PROVIDER_ID = Pattern.compile("aws:///([^/]+)/([^/]+)");

    /// The outputs of the apply's workspace; an empty field while there is none.
    static Field of(View view, RawObject apply) {
        var named = apply.status().at("workspaceName").text("");
        var own = apply.name().name();
        var derived =
                own.endsWith(APPLY_ENDING)
                        ? own.substring(0, own.length() - APPLY_ENDING.length())
                        : own;
        var workspace =
                view.cache(CaptTypes.WORKSPACE)
                        .find(new ObjectName("", named.isEmpty() ? derived : named));
        if (workspace == null || !isOf(workspace, apply)) {
            return Field.root("Workspace", Tree.of().mapping(), new Faults());
        }
        return workspace.status().at("atProvider").at("outputs");
    }

    /// Workspaces have no namespace: one of that name may be another apply's.
    private static boolean isOf(RawObject workspace, RawObject apply) {
        var mark = workspace.meta().annotation(Marks.APPLY);
        return mark == null || mark.equals(apply.name().toString());
    }

    /// Id and zone are told, or follow from one another.
    static Outputs instance(Field outputs) {
        var stated = outputs.at("provider_id").text("");
        var parts = PROVIDER_ID.matcher(stated);
        var isKnown = parts.matches();
        var id = outputs.at("instance_id").text("");
        var instance = id.isEmpty() && isKnown ? parts.group(2) : id;
        var told = outputs.at("availability_zone").text("");
        var zone = told.isEmpty() && isKnown ? parts.group(1) : told;
        return new Outputs(
                instance,
                zone,
                outputs.at("private_ip").text(""),
                outputs.at("public_ip").text(""),
                outputs.at("private_dns").text(""),
                outputs.at("public_dns").text(""),
                stated.isEmpty() && !instance.isEmpty() && !zone.isEmpty()
                        ? "aws:///%s/%s".formatted(zone, instance)
                        : stated);
    }

    List<Value.Mapping> addresses() {
        var addresses = new ArrayList<Value.Mapping>();
        add(addresses, "InternalIP", privateIp);
        add(addresses, "ExternalIP", publicIp);
        add(addresses, "InternalDNS", privateDns);
        add(addresses, "ExternalDNS", publicDns);
        return addresses;
    }

    private static void add(List<Value.Mapping> addresses, String type, String address) {
        if (!address.isEmpty()) {
            addresses.add(Tree.of("type", type).put("address", address).mapping());
        }
    }
}
