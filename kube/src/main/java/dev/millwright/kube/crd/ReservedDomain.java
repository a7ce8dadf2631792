package dev.millwright.kube.crd;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A label domain that belongs to a provider: users may name only its open keys in a NodePool,
/// NodeClaim or NodeOverlay, since the provider sets all others itself.
///
/// The rule matches as the one of `karpenter.sh` does: by the end of the key's text before its
/// slash, so subdomains are reserved too.
public record ReservedDomain(String domain, List<String> openKeys, Reach reach) {

    /// Where keys are refused.
    public enum Reach {
        REQUIREMENTS,
        REQUIREMENTS_AND_LABELS,

        /// In requirements of NodeOverlays, which are about instance types and not about nodes.
        OVERLAYS
    }

    // The texts that stand in the files where rules go. A comment does nothing when left alone.
    private static final String AT_REQUIREMENTS = "# rules of the provider: requirement keys";
    private static final String AT_LABELS = "# rules of the provider: label keys";
    private static final String AT_OVERLAYS = "# rules of the provider: overlay keys";

    private static final Pattern DOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    private static final Pattern KEY = Pattern.compile("[-a-z0-9.]+/[-A-Za-z0-9_.]+");

    public ReservedDomain {
        if (!DOMAIN.matcher(domain).matches()) {
            throw new IllegalArgumentException(
                    "domain \"%s\" is none; wanted one like karpenter.kwok.sh".formatted(domain));
        }
        openKeys = openKeys.stream().sorted().toList();
        for (var key : openKeys) {
            if (!KEY.matcher(key).matches()) {
                throw new IllegalArgumentException(
                        "key \"%s\" is none; wanted one like %s/name".formatted(key, domain));
            }
        }
    }

    /// The definition with this domain's rule at each place there is for it.
    String addTo(String definition) {
        return definition
                .lines()
                .map(line -> rulesAt(line) + line + "\n")
                .collect(Collectors.joining());
    }

    private String rulesAt(String line) {
        var isReached =
                switch (line.strip()) {
                    case AT_REQUIREMENTS -> reach != Reach.OVERLAYS;
                    case AT_LABELS -> reach == Reach.REQUIREMENTS_AND_LABELS;
                    case AT_OVERLAYS -> reach == Reach.OVERLAYS;
                    default -> false;
                };
        if (!isReached) {
            return "";
        }
        var margin = line.substring(0, line.indexOf('#'));
        var rule =
                line.strip().equals(AT_LABELS)
                        ? "self.all(x, %s)".formatted(ruleFor("x"))
                        : ruleFor("self");
        return margin + "- rule: " + rule + "\n" + margin + "  message: " + message() + "\n";
    }

    private String ruleFor(String key) {
        var open = openKeys.stream().map("\"%s\""::formatted).collect(Collectors.joining(", "));
        return "%s in [%s] || !%s.find(\"^[^/]+\").endsWith(\"%s\")"
                .formatted(key, open, key, domain);
    }

    private String message() {
        return "keys of the domain %s belong to the provider; only %s may be used"
                .formatted(domain, openKeys.isEmpty() ? "others" : String.join(", ", openKeys));
    }
}
