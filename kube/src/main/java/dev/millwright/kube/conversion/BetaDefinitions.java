package dev.millwright.kube.conversion;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Definitions of custom resources that serve v1beta1 beside v1. The older schema is made from the
/// newer one by the same differences that the conversion bridges, so that neither forgets the
/// other.
public final class BetaDefinitions {

    private static final String[] SCHEMA = {"schema", "openAPIV3Schema"};

    private static final Value REFERENCE =
            yaml(
                    """
                    description: The provider's object with the settings of the machines.
                    type: object
                    required: [name]
                    properties:
                      apiVersion: {description: API version of the object., type: string}
                      kind: {description: Kind of the object., type: string}
                      name: {description: Name of the object., type: string}
                    """);

    private static final Value EXPIRY =
            yaml(
                    """
                    description: Age at which a node is replaced, such as 720h. Never turns expiry off.
                    type: string
                    pattern: '^(([0-9]+(s|m|h))+|Never)$'
                    default: 720h
                    """);

    private static final Value POLICY =
            yaml(
                    """
                    description: Which nodes may be consolidated.
                    type: string
                    enum: [WhenEmpty, WhenUnderutilized]
                    default: WhenUnderutilized
                    """);

    private static final Value DISRUPTION_RULES =
            yaml(
                    """
                    - rule: '!has(self.consolidateAfter) || self.consolidationPolicy != "WhenUnderutilized" || self.consolidateAfter == "Never"'
                      message: consolidateAfter goes with the policy WhenEmpty only; leave it out
                    - rule: has(self.consolidateAfter) || self.consolidationPolicy != "WhenEmpty"
                      message: the policy WhenEmpty wants to know consolidateAfter
                    """);

    private static final Value FAMILY =
            yaml(
                    """
                    description: How the image starts its kubelet and what disks it expects.
                    type: string
                    enum: [AL2, AL2023, Bottlerocket, Ubuntu, Custom, Windows2019, Windows2022]
                    """);

    private static final Value CLASS_RULES =
            yaml(
                    """
                    - rule: has(self.role) != has(self.instanceProfile)
                      message: role and instanceProfile exclude each other; set exactly one of them
                    - rule: self.amiFamily != "Custom" || (has(self.amiSelectorTerms) && self.amiSelectorTerms.size() > 0)
                      message: the family Custom knows no image; set amiSelectorTerms
                    """);

    private static final Value TERM_RULES =
            yaml(
                    """
                    - rule: self.all(x, has(x.tags) || has(x.id) || has(x.name))
                      message: a term that selects by nothing selects all; give it tags, an id or a name
                    - rule: '!self.exists(x, has(x.id) && (has(x.tags) || has(x.name) || has(x.owner)))'
                      message: an id says it all; leave tags, name and owner out
                    """);

    private static final Set<String> CLASS_FIELDS_SINCE =
            Set.of(
                    "kubelet",
                    "capacityReservationSelectorTerms",
                    "placementGroupSelector",
                    "ipPrefixCount",
                    "networkInterfaces",
                    "connectionTracking",
                    "cpuOptions");

    private BetaDefinitions() {}

    private static Value yaml(String text) {
        return DocumentReader.readAll(Source.text("schema", text)).getFirst();
    }

    /// The definition's spec as v1 alone has it, and v1beta1 served beside it.
    ///
    /// @param definition of NodePool, NodeClaim or EC2NodeClass
    /// @param ec2NodeClass that of EC2NodeClass, whose kubelet pools had
    public static List<Value> versions(Value.Mapping definition, Value.Mapping ec2NodeClass) {
        var current = version(definition);
        var kubelet = Nested.find(version(ec2NodeClass), in("spec", "properties", "kubelet"));
        var older =
                switch (ClassReferences.orEmpty(Nested.text(definition, "spec", "names", "kind"))) {
                    case "NodePool" -> pool(current, kubelet);
                    case "NodeClaim" -> claim(current, kubelet);
                    default -> nodeClass(current);
                };
        var served = Nested.with(older, "v1beta1", "name");
        served = Nested.with(served, flag(false), "storage");
        return List.of(current, served);
    }

    private static Value flag(boolean isTrue) {
        return new Value.Flag(Position.NOWHERE, isTrue);
    }

    private static Value.Mapping version(Value.Mapping definition) {
        if (Nested.list(definition, "spec", "versions").getFirst() instanceof Value.Mapping first) {
            return first;
        }
        throw new IllegalArgumentException("a definition has versions");
    }

    /// A path below the schema's properties.
    private static String[] in(String... path) {
        var whole = new ArrayList<>(List.of(SCHEMA));
        whole.add("properties");
        whole.addAll(List.of(path));
        return whole.toArray(String[]::new);
    }

    private static Value.Mapping pool(Value.Mapping version, @Nullable Value kubelet) {
        var made = Nested.without(version, "subresources", "scale");
        made = Nested.without(made, in("spec", "x-kubernetes-validations"));
        made = Nested.without(made, in("spec", "properties", "replicas"));
        made = template(made, kubelet, "spec", "properties", "template", "properties", "spec");
        made =
                Nested.with(
                        made,
                        Tree.of("consolidationPolicy", "WhenUnderutilized")
                                .put("expireAfter", "720h")
                                .mapping(),
                        in("spec", "properties", "disruption", "default"));
        made =
                Nested.with(
                        made,
                        DISRUPTION_RULES,
                        in("spec", "properties", "disruption", "x-kubernetes-validations"));
        made = Nested.with(made, EXPIRY, disruption("expireAfter"));
        made = Nested.with(made, POLICY, disruption("consolidationPolicy"));
        made = Nested.without(made, disruption("consolidateAfter", "default"));
        return Nested.without(made, disruption("budgets", "items", "properties", "reasons"));
    }

    private static String[] disruption(String... path) {
        var whole = new ArrayList<>(List.of("spec", "properties", "disruption", "properties"));
        whole.addAll(List.of(path));
        return in(whole.toArray(String[]::new));
    }

    private static Value.Mapping claim(Value.Mapping version, @Nullable Value kubelet) {
        return template(version, kubelet, "spec");
    }

    /// @param spec the path to what pools and claims have in common
    private static Value.Mapping template(
            Value.Mapping version, @Nullable Value kubelet, String... spec) {
        var made = Nested.without(version, under(spec, "expireAfter"));
        made = Nested.without(made, under(spec, "terminationGracePeriod"));
        made = Nested.with(made, REFERENCE, under(spec, "nodeClassRef"));
        return kubelet == null ? made : Nested.with(made, kubelet, under(spec, "kubelet"));
    }

    private static String[] under(String[] spec, String field) {
        var whole = new ArrayList<>(List.of(spec));
        whole.add("properties");
        whole.add(field);
        return in(whole.toArray(String[]::new));
    }

    private static Value.Mapping nodeClass(Value.Mapping version) {
        var made = version;
        for (var field : CLASS_FIELDS_SINCE) {
            made = Nested.without(made, in("spec", "properties", field));
        }
        made =
                Nested.with(
                        made,
                        yaml("[amiFamily, securityGroupSelectorTerms, subnetSelectorTerms]"),
                        in("spec", "required"));
        made = Nested.with(made, CLASS_RULES, in("spec", "x-kubernetes-validations"));
        made = Nested.with(made, FAMILY, in("spec", "properties", "amiFamily"));
        made = terms(made);
        made = hops(made);
        return Nested.without(made, in("status", "properties", "capacityReservations"));
    }

    private static Value.Mapping terms(Value.Mapping version) {
        String[] terms = {"spec", "properties", "amiSelectorTerms"};
        var old = Nested.mapping(version, in(terms));
        var fields = new LinkedHashMap<>(old.fields());
        fields.remove("minItems");
        fields.put("x-kubernetes-validations", TERM_RULES);
        var plain = new Value.Mapping(old.position(), fields);
        plain = Nested.without(plain, "items", "properties", "alias");
        plain = Nested.without(plain, "items", "properties", "ssmParameter");
        return Nested.with(version, plain, in(terms));
    }

    private static Value.Mapping hops(Value.Mapping version) {
        var two = Nested.number(2);
        return Nested.with(
                Nested.with(
                        version,
                        two,
                        in(
                                "spec",
                                "properties",
                                "metadataOptions",
                                "default",
                                "httpPutResponseHopLimit")),
                two,
                in(
                        "spec",
                        "properties",
                        "metadataOptions",
                        "properties",
                        "httpPutResponseHopLimit",
                        "default"));
    }
}
