package dev.millwright.providers.aws.bootstrap;

import dev.millwright.providers.aws.nodeclass.Alias;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.nodeclass.SelectorTerm;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.regex.Pattern;

/// Which Bottlerocket a class runs, as far as its words and its images' names tell.
public final class BottlerocketVersion {

    /// E.g. the third last piece of `bottlerocket-aws-k8s-1.33-x86_64-v1.46.0-431fe75a`.
    private static final Pattern PIECE = Pattern.compile("(?:^|-)(v[^-]*\\.[^-]*)");

    private static final Pattern NUMBERS = Pattern.compile("v*([0-9]{1,9})\\.([0-9]{1,9})\\..*");

    private BottlerocketVersion() {}

    /// The version, `latest`, or null: by alias, then by the name that is asked for, then by the
    /// name of the image with the id that is asked for, then by the name of any image found.
    public static @Nullable String of(
            List<SelectorTerm.Ami> terms, List<NodeClassStatus.Ami> images) {
        for (var term : terms) {
            if (term.alias() != null) {
                return term.alias().version();
            }
        }
        for (var term : terms) {
            var version = term.name() == null ? null : inName(term.name());
            if (version != null) {
                return version;
            }
        }
        for (var term : terms) {
            var version = term.id() == null ? null : ofImages(images, term.id());
            if (version != null) {
                return version;
            }
        }
        return ofImages(images, null);
    }

    private static @Nullable String ofImages(
            List<NodeClassStatus.Ami> images, @Nullable String id) {
        for (var image : images) {
            var isAsked = id == null || image.id().equals(id);
            var version =
                    isAsked && image.name().contains("bottlerocket") ? inName(image.name()) : null;
            if (version != null) {
                return version;
            }
        }
        return null;
    }

    private static @Nullable String inName(String name) {
        var piece = PIECE.matcher(name);
        return piece.find() ? piece.group(1) : null;
    }

    /// Since 1.46.0 the image knows by itself which directories belong on the instance store.
    static boolean isKnowingItsDirectories(@Nullable String version) {
        if (version == null) {
            return false;
        }
        if (version.equals(Alias.LATEST)) {
            return true;
        }
        var numbers = NUMBERS.matcher(version);
        if (!numbers.matches()) {
            return false;
        }
        var major = Integer.parseInt(numbers.group(1));
        var minor = Integer.parseInt(numbers.group(2));
        return major > 1 || (major == 1 && minor >= 46);
    }
}
