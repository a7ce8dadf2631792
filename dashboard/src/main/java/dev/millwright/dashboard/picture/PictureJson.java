package dev.millwright.dashboard.picture;

import dev.millwright.dashboard.picture.Picture.Decision;
import dev.millwright.dashboard.picture.Picture.Deployment;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Pod;
import dev.millwright.dashboard.picture.Picture.Upcoming;
import dev.millwright.dashboard.picture.Picture.WaitingPod;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/// A picture as JSON: whole, or as what changed since another one. A fleet of thousands of nodes is
/// sent once; after that only the nodes that differ.
public final class PictureJson {

    private PictureJson() {}

    public static String whole(Picture picture, boolean isReadOnly) {
        var json = new Json();
        return json.object(
                        () -> {
                            json.name("title").value(picture.title());
                            json.name("isReadOnly").value(isReadOnly);
                            figures(json, picture);
                            json.name("nodes").array(picture.nodes(), PictureJson::node);
                            json.name("waiting")
                                    .array(picture.workload().waiting(), PictureJson::waiting);
                            json.name("deployments")
                                    .array(
                                            picture.workload().deployments(),
                                            PictureJson::deployment);
                            json.name("history")
                                    .array(picture.price().history(), PictureJson::moment);
                            json.name("decisions")
                                    .array(picture.decisions(), PictureJson::decision);
                            json.name("upcoming").array(picture.upcoming(), PictureJson::upcoming);
                        })
                .toString();
    }

    /// What a reader of `before` must know to have `after`. A list that is missing has not changed;
    /// `moments` and `decisions` come after those that the reader has.
    public static String change(Picture before, Picture after) {
        var json = new Json();
        return json.object(
                        () -> {
                            figures(json, after);
                            nodes(json, before, after);
                            if (!before.workload().waiting().equals(after.workload().waiting())) {
                                json.name("waiting")
                                        .array(after.workload().waiting(), PictureJson::waiting);
                            }
                            if (!before.workload()
                                    .deployments()
                                    .equals(after.workload().deployments())) {
                                json.name("deployments")
                                        .array(
                                                after.workload().deployments(),
                                                PictureJson::deployment);
                            }
                            if (!before.upcoming().equals(after.upcoming())) {
                                json.name("upcoming")
                                        .array(after.upcoming(), PictureJson::upcoming);
                            }
                            history(json, before.price().history(), after.price().history());
                            var last =
                                    before.decisions().isEmpty()
                                            ? -1
                                            : before.decisions().getLast().number();
                            json.name("decisions")
                                    .array(
                                            after.decisions().stream()
                                                    .filter(decision -> decision.number() > last)
                                                    .toList(),
                                            PictureJson::decision);
                        })
                .toString();
    }

    /// What a page can be asked for besides the newest picture: how many older ones, and answers.
    public static String moments(@Nullable Reel reel, boolean isLive, boolean hasAnswers) {
        var json = new Json();
        var length = reel == null ? 0 : reel.length();
        return json.object(
                        () -> {
                            json.name("hasReel").value(reel != null);
                            json.name("hasAnswers").value(hasAnswers);
                            json.name("isLive").value(isLive);
                            json.name("length").value(length);
                            if (reel != null && length > 0) {
                                json.name("first").value(reel.at(0));
                                json.name("last").value(reel.at(length - 1));
                            }
                        })
                .toString();
    }

    /// An object of one text.
    public static String field(String name, String text) {
        var json = new Json();
        return json.object(() -> json.name(name).value(text)).toString();
    }

    private static void nodes(Json json, Picture before, Picture after) {
        var known = new HashMap<String, Node>();
        before.nodes().forEach(node -> known.put(node.name(), node));
        json.name("nodes")
                .array(
                        after.nodes().stream()
                                .filter(node -> !node.equals(known.get(node.name())))
                                .toList(),
                        PictureJson::node);
        var there = new HashSet<String>();
        after.nodes().forEach(node -> there.add(node.name()));
        json.name("gone")
                .array(
                        before.nodes().stream()
                                .map(Node::name)
                                .filter(name -> !there.contains(name))
                                .toList(),
                        Json::value);
    }

    /// A history that was thinned out is sent as a whole.
    private static void history(Json json, List<Moment> before, List<Moment> after) {
        var known = before.size();
        var isLonger =
                after.size() >= known
                        && (known == 0 || after.get(known - 1).equals(before.getLast()));
        if (isLonger) {
            json.name("moments").array(after.subList(known, after.size()), PictureJson::moment);
        } else {
            json.name("history").array(after, PictureJson::moment);
        }
    }

    /// Numbers that are short enough to be sent always.
    private static void figures(Json json, Picture picture) {
        var pace = picture.pace();
        json.name("startedAt").value(pace.startedAt());
        json.name("at").value(pace.now());
        json.name("speed").value(pace.speed());
        json.name("isPaused").value(pace.isPaused());
        json.name("isFrozen").value(picture.isFrozen());
        json.name("pricePerHour").value(picture.price().perHour());
        json.name("lowerBoundPerHour").value(picture.price().lowerBoundPerHour());
        var counters = picture.counters();
        json.name("counters")
                .object(
                        () -> {
                            json.name("podsRun").value(counters.podsRun());
                            json.name("nodesLaunched").value(counters.nodesLaunched());
                            json.name("nodesTerminated").value(counters.nodesTerminated());
                            json.name("evictions").value(counters.evictions());
                            json.name("interruptions").value(counters.interruptions());
                            json.name("invariantsBroken").value(counters.invariantsBroken());
                        });
    }

    private static void node(Json json, Node node) {
        json.object(
                () -> {
                    json.name("name").value(node.name());
                    json.name("pool").value(node.machine().pool());
                    json.name("type").value(node.machine().type());
                    json.name("zone").value(node.machine().zone());
                    json.name("capacityType").value(node.machine().capacityType().label());
                    json.name("pricePerHour").value(node.machine().pricePerHour());
                    json.name("phase").value(node.phase().label());
                    var endsAt = node.endsAt();
                    if (endsAt != null) {
                        json.name("endsAt").value(endsAt);
                    }
                    if (!node.kept().isEmpty()) {
                        json.name("kept").value(node.kept());
                    }
                    json.name("cpuUsed").value(node.cpuMillis().used());
                    json.name("cpuTotal").value(node.cpuMillis().total());
                    json.name("memoryUsed").value(node.memoryBytes().used());
                    json.name("memoryTotal").value(node.memoryBytes().total());
                    json.name("pods").array(node.pods(), PictureJson::pod);
                });
    }

    private static void pod(Json json, Pod pod) {
        json.object(() -> podFields(json, pod));
    }

    private static void podFields(Json json, Pod pod) {
        json.name("name").value(pod.name());
        json.name("owner").value(pod.owner());
        json.name("cpu").value(pod.cpuMillis());
        json.name("memory").value(pod.memoryBytes());
    }

    private static void waiting(Json json, WaitingPod waiting) {
        json.object(
                () -> {
                    podFields(json, waiting.pod());
                    json.name("since").value(waiting.since());
                    json.name("reason").value(waiting.reason());
                });
    }

    private static void deployment(Json json, Deployment deployment) {
        json.object(
                () -> {
                    json.name("name").value(deployment.name());
                    json.name("wanted").value(deployment.wanted());
                    json.name("ready").value(deployment.ready());
                    json.name("cpu").value(deployment.cpuMillis());
                    json.name("memory").value(deployment.memoryBytes());
                });
    }

    private static void moment(Json json, Moment moment) {
        json.object(
                () -> {
                    json.name("at").value(moment.at());
                    json.name("price").value(moment.pricePerHour());
                    json.name("bound").value(moment.lowerBoundPerHour());
                    json.name("nodes").value(moment.nodes());
                    json.name("pods").value(moment.pods());
                });
    }

    private static void upcoming(Json json, Upcoming upcoming) {
        json.object(
                () -> {
                    json.name("nodes").array(upcoming.nodes(), Json::value);
                    json.name("reason").value(upcoming.reason());
                    json.name("text").value(upcoming.text());
                    json.name("savedPerHour").value(upcoming.savedPerHour());
                    json.name("stage").value(upcoming.stage().label());
                });
    }

    private static void decision(Json json, Decision decision) {
        json.object(
                () -> {
                    json.name("number").value(decision.number());
                    json.name("at").value(decision.at());
                    json.name("kind").value(decision.kind().label());
                    json.name("text").value(decision.text());
                });
    }
}
