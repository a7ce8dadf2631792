package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.function.Function;

/// The question of an API server that has objects of one version and wants them in another.
public final class ConversionReview {

    /// Reads how long nodes of a pool live, by the pool's name; null when nobody knows.
    @FunctionalInterface
    public interface Expiries extends Function<String, @Nullable String> {}

    private ConversionReview() {}

    /// All objects converted, or none and why.
    public static Value.Mapping answered(Value.Mapping review, Expiries expiries) {
        var wanted = ClassReferences.orEmpty(Nested.text(review, "request", "desiredAPIVersion"));
        var response =
                Tree.of("uid", ClassReferences.orEmpty(Nested.text(review, "request", "uid")));
        try {
            var converted = new ArrayList<Value>();
            for (var object : Nested.list(review, "request", "objects")) {
                converted.add(converted(object, wanted, expiries));
            }
            response.putList("convertedObjects", converted);
            response.put("result", Tree.of("status", "Success"));
        } catch (IllegalArgumentException unknown) {
            response.put(
                    "result",
                    Tree.of("status", "Failure")
                            .put("message", String.valueOf(unknown.getMessage())));
        }
        return Tree.of("apiVersion", ClassReferences.orEmpty(review.text("apiVersion")))
                .put("kind", "ConversionReview")
                .put("response", response)
                .mapping();
    }

    private static Value converted(Value value, String wanted, Expiries expiries) {
        if (!(value instanceof Value.Mapping object)) {
            throw new IllegalArgumentException(
                    "found %s; wanted an object".formatted(value.describe()));
        }
        var found = ClassReferences.orEmpty(object.text("apiVersion"));
        if (found.equals(wanted)) {
            return object;
        }
        var kind = ClassReferences.orEmpty(object.text("kind"));
        return switch (kind + " " + found + " " + wanted) {
            case "NodePool " + OldKeys.BETA + " " + OldKeys.CURRENT -> NodePools.toCurrent(object);
            case "NodePool " + OldKeys.CURRENT + " " + OldKeys.BETA -> NodePools.toBeta(object);
            case "NodeClaim " + OldKeys.BETA + " " + OldKeys.CURRENT ->
                    NodeClaims.toCurrent(object, expiries.apply(NodeClaims.nodePool(object)));
            case "NodeClaim " + OldKeys.CURRENT + " " + OldKeys.BETA -> NodeClaims.toBeta(object);
            case "EC2NodeClass " + OldKeys.AWS_BETA + " " + OldKeys.AWS_CURRENT ->
                    Ec2NodeClasses.toCurrent(object);
            case "EC2NodeClass " + OldKeys.AWS_CURRENT + " " + OldKeys.AWS_BETA ->
                    Ec2NodeClasses.toBeta(object);
            default ->
                    throw new IllegalArgumentException(
                            "%s %s: there is no way from %s to %s"
                                    .formatted(
                                            kind,
                                            Nested.text(object, "metadata", "name"),
                                            found,
                                            wanted));
        };
    }
}
