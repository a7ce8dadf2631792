package dev.millwright.runtime.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.runtime.log.Log;

import org.jspecify.annotations.Nullable;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Lets those read whom the API server knows by their token and whom it lets `get` the path, as
/// other components of a cluster do. What it said counts for a short while; tokens are not kept.
final class ReviewGuard implements Guard {

    private static final ResourceType TOKEN_REVIEW =
            new ResourceType("authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false);
    private static final ResourceType ACCESS_REVIEW =
            new ResourceType(
                    "authorization.k8s.io",
                    "v1",
                    "subjectaccessreviews",
                    "SubjectAccessReview",
                    false);

    /// A right that was taken away is good for so long yet; scrapes come twice a minute.
    private static final Duration ALLOWED_FOR = Duration.ofMinutes(1);

    private static final Duration REFUSED_FOR = Duration.ofSeconds(10);

    /// Judgements remembered; the oldest go first.
    private static final int REMEMBERED_MAX = 256;

    /// A header longer than this is no token of Kubernetes.
    private static final int TOKEN_LENGTH_MAX = 16_384;

    private static final String SCHEME = "bearer ";

    private record Judged(Verdict verdict, Instant until) {}

    private final KubeApi api;
    private final InstantSource clock;
    private final Log log;
    private final Map<String, Judged> judged = new LinkedHashMap<>();

    /// @param api a way of its own: strangers' tokens must not hold up the loops
    ReviewGuard(KubeApi api, InstantSource clock, Log log) {
        this.api = api;
        this.clock = clock;
        this.log = log;
    }

    @Override
    public Verdict judge(String path, @Nullable String authorization) {
        var token = token(authorization);
        if (token == null) {
            return Verdict.UNAUTHENTICATED;
        }
        var key = key(token, path);
        var now = clock.instant();
        var before = remembered(key, now);
        if (before != null) {
            return before;
        }
        var verdict = asked(token, path);
        remember(key, verdict, now);
        return verdict;
    }

    private static @Nullable String token(@Nullable String authorization) {
        if (authorization == null
                || authorization.length() > TOKEN_LENGTH_MAX
                || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return null;
        }
        var token = authorization.substring(SCHEME.length()).strip();
        return token.isEmpty() ? null : token;
    }

    private static String key(String token, String path) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(token.getBytes(UTF_8))) + path;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK knows SHA-256", impossible);
        }
    }

    private @Nullable Verdict remembered(String key, Instant now) {
        synchronized (judged) {
            var before = judged.get(key);
            return before != null && now.isBefore(before.until()) ? before.verdict() : null;
        }
    }

    private void remember(String key, Verdict verdict, Instant now) {
        if (verdict == Verdict.UNDECIDED) {
            return;
        }
        var until = now.plus(verdict == Verdict.ALLOWED ? ALLOWED_FOR : REFUSED_FOR);
        synchronized (judged) {
            judged.remove(key);
            judged.put(key, new Judged(verdict, until));
            if (judged.size() > REMEMBERED_MAX) {
                var oldest = judged.keySet().iterator().next();
                judged.remove(oldest);
            }
        }
    }

    private Verdict asked(String token, String path) {
        var review = status(TOKEN_REVIEW, Tree.of("token", token));
        if (review == null) {
            return Verdict.UNDECIDED;
        }
        if (!review.at("authenticated").isTrue()) {
            return Verdict.UNAUTHENTICATED;
        }
        var access = status(ACCESS_REVIEW, question(review.at("user"), path));
        if (access == null) {
            return Verdict.UNDECIDED;
        }
        return access.at("allowed").isTrue() ? Verdict.ALLOWED : Verdict.FORBIDDEN;
    }

    private static Tree question(Field user, String path) {
        var question =
                Tree.of("user", user.at("username").text(""))
                        .putUnlessEmpty("uid", user.at("uid").text(""))
                        .putTextList("groups", user.at("groups").textList())
                        .put("nonResourceAttributes", Tree.of("path", path).put("verb", "get"));
        var extra = user.at("extra").value();
        return extra == null ? question : question.put("extra", extra);
    }

    /// The review's answer; null when the API server gave none.
    private @Nullable Field status(ResourceType type, Tree spec) {
        var body =
                Tree.of("apiVersion", type.group() + "/" + type.version())
                        .put("kind", type.kind())
                        .put("spec", spec);
        var answer = api.write(new ApiWrite.Create(type, "", body.mapping()));
        if (answer instanceof ApiAnswer.Done(var object)) {
            return Field.root(type.kind(), object, new Faults()).at("status");
        }
        log.warn(
                "cannot ask who reads the metrics",
                "review",
                type.kind(),
                "error",
                answer.explain());
        return null;
    }
}
