package dev.millwright.testing.kit.aws.fake;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.TemplateInfo;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Launch templates, of one version each.
final class FakeTemplates {

    private static final int USER_DATA_BYTES_MAX = 16_384;

    private final SequencedMap<String, Template> templates = new LinkedHashMap<>();
    private int made;

    record Template(String id, LaunchTemplate data) {

        private TemplateInfo info() {
            return new TemplateInfo(id, data.name(), data.tags());
        }
    }

    void create(LaunchTemplate template) throws AwsFault {
        if (Base64.getDecoder().decode(template.userData()).length > USER_DATA_BYTES_MAX) {
            throw AwsFault.refused(
                    "InvalidUserData.Malformed",
                    "User data is limited to %d bytes".formatted(USER_DATA_BYTES_MAX));
        }
        if (templates.containsKey(template.name())) {
            throw AwsFault.refused(
                    "InvalidLaunchTemplateName.AlreadyExistsException",
                    "Launch template name already in use.");
        }
        made++;
        templates.put(template.name(), new Template("lt-%017x".formatted(made), template));
    }

    Template find(String name) throws AwsFault {
        var found = templates.get(name);
        if (found == null) {
            throw AwsFault.refused(
                    "InvalidLaunchTemplateName.NotFoundException",
                    "The specified launch template, with template name %s, does not exist."
                            .formatted(name));
        }
        return found;
    }

    TemplateInfo info(String name) throws AwsFault {
        return find(name).info();
    }

    void delete(String name) throws AwsFault {
        find(name);
        templates.remove(name);
    }

    List<TemplateInfo> select(List<Filter> filters) throws AwsFault {
        var listed =
                templates.values().stream()
                        .map(Template::info)
                        .map(
                                each ->
                                        FakeListed.of(
                                                each,
                                                Map.of("launch-template-name", each.name()),
                                                each.tags()))
                        .toList();
        return FakeListed.select(listed, filters);
    }
}
