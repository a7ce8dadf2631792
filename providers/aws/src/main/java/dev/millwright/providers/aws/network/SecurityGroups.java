package dev.millwright.providers.aws.network;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.SecurityGroupInfo;
import dev.millwright.providers.aws.cache.TimedCache;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.nodeclass.SelectorTerm;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The security groups of classes. Every one that matches is attached.
public final class SecurityGroups {

    private static final Duration REFRESH = Duration.ofMinutes(1);

    private final Ec2Api ec2;
    private final TimedCache<List<List<Filter>>, List<SecurityGroupInfo>> found;

    public SecurityGroups(Ec2Api ec2, InstantSource clock) {
        this.ec2 = ec2;
        this.found = new TimedCache<>(clock, REFRESH);
    }

    /// What the class's terms lead to, by id.
    public List<SecurityGroupInfo> of(Ec2NodeClass nodeClass) throws AwsFault {
        var questions = questions(nodeClass.spec().securityGroupSelectorTerms());
        var known = found.find(questions);
        if (known != null) {
            return known;
        }
        var byId = new TreeMap<String, SecurityGroupInfo>();
        for (var filters : questions) {
            for (var group : ec2.securityGroups(filters)) {
                byId.put(group.id(), group);
            }
        }
        var all = List.copyOf(byId.values());
        if (!all.isEmpty()) {
            found.put(questions, all);
        }
        return all;
    }

    /// One question for all ids, one for all names, then one a term of tags. In a term the id wins
    /// over the name, the name over tags.
    static List<List<Filter>> questions(List<SelectorTerm.SecurityGroup> terms) {
        var questions = new ArrayList<List<Filter>>();
        Given.of(
                "group-id",
                terms.stream().map(SelectorTerm.SecurityGroup::id).flatMap(Given::stream).toList(),
                questions);
        Given.of(
                "group-name",
                terms.stream()
                        .filter(term -> term.id() == null)
                        .map(SelectorTerm.SecurityGroup::name)
                        .flatMap(Given::stream)
                        .toList(),
                questions);
        for (var term : terms) {
            if (term.id() == null && term.name() == null && !term.tags().isEmpty()) {
                questions.add(Filter.tags(term.tags()));
            }
        }
        return questions;
    }

    /// As the class's status tells them.
    public static List<NodeClassStatus.SecurityGroup> told(List<SecurityGroupInfo> groups) {
        return groups.stream()
                .map(each -> new NodeClassStatus.SecurityGroup(each.id(), each.name()))
                .toList();
    }
}
