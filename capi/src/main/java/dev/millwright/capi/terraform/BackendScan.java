package dev.millwright.capi.terraform;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Finds the backend that a configuration names. Terraform allows nothing but literals there, so
/// that no more than words, strings and braces must be understood.
final class BackendScan {

    /// @param type `kubernetes`, `s3`; `cloud` for HashiCorp's own service
    /// @param isSimple whether all attributes are single literals
    record Backend(String type, SequencedMap<String, String> attributes, boolean isSimple) {

        Backend with(SequencedMap<String, String> more) {
            var all = new LinkedHashMap<>(attributes);
            all.putAll(more);
            return new Backend(type, all, isSimple);
        }
    }

    /// @param file whose backend it is: who wrote that file asks for it
    record Found(Backend backend, String file) {}

    private record Token(Sort sort, String text) {
        boolean is(String punctuation) {
            return sort == Sort.PUNCTUATION && text.equals(punctuation);
        }

        boolean isWord(String word) {
            return sort == Sort.WORD && text.equals(word);
        }
    }

    private enum Sort {
        WORD,
        STRING,
        PUNCTUATION
    }

    private final String text;
    private int at;

    private BackendScan(String text) {
        this.text = text;
    }

    /// The backend that the files of a root module name; null where they name none.
    ///
    /// @param backendFile attributes that are given to `init` and win
    static @Nullable Found find(RunFolder folder, Path module, String backendFile)
            throws IOException {
        for (var name : folder.host().files(module)) {
            var backend = in(folder, module.resolve(name), name);
            if (backend != null) {
                return new Found(backend.with(attributes(backendFile)), name);
            }
        }
        return null;
    }

    private static @Nullable Backend in(RunFolder folder, Path file, String name)
            throws IOException {
        if (name.equals("millwright_override.tf")) {
            return null;
        }
        if (name.endsWith(".tf")) {
            return ofHcl(folder.text(file));
        }
        if (name.endsWith(".tf.json")) {
            try {
                return ofJson(JsonReader.object(folder.read(file)));
            } catch (IOException notJson) {
                return null; // Terraform says so, better than we could.
            }
        }
        return null;
    }

    /// Null where a text in HCL names none.
    static @Nullable Backend ofHcl(String text) {
        var tokens = new BackendScan(text).tokens();
        var depth = 0;
        var isInTerraform = false;
        for (var index = 0; index < tokens.size(); index++) {
            var token = tokens.get(index);
            if (token.is("{")) {
                isInTerraform |=
                        depth == 0 && index > 0 && tokens.get(index - 1).isWord("terraform");
                depth++;
            } else if (token.is("}")) {
                depth--;
                isInTerraform &= depth > 0;
            } else if (isInTerraform && depth == 1 && index + 1 < tokens.size()) {
                if (token.isWord("cloud") && tokens.get(index + 1).is("{")) {
                    return new Backend("cloud", new LinkedHashMap<>(), false);
                }
                if (token.isWord("backend") && tokens.get(index + 1).sort() == Sort.STRING) {
                    return block(tokens.get(index + 1).text(), tokens, index + 3);
                }
            }
        }
        return null;
    }

    /// Bare attributes, as a backend file has them.
    static SequencedMap<String, String> attributes(String text) {
        return block("", new BackendScan(text).tokens(), 0).attributes();
    }

    private static Backend block(String type, List<Token> tokens, int from) {
        var attributes = new LinkedHashMap<String, String>();
        var isSimple = true;
        for (var index = from; index < tokens.size() && !tokens.get(index).is("}"); index++) {
            var isLiteral =
                    index + 2 < tokens.size()
                            && tokens.get(index).sort() == Sort.WORD
                            && tokens.get(index + 1).is("=")
                            && tokens.get(index + 2).sort() != Sort.PUNCTUATION;
            if (!isLiteral) {
                isSimple = false;
                break;
            }
            attributes.put(tokens.get(index).text(), tokens.get(index + 2).text());
            index += 2;
        }
        return new Backend(type, attributes, isSimple);
    }

    /// Null where a configuration in JSON names none.
    static @Nullable Backend ofJson(Value.Mapping root) {
        if (!(root.fields().get("terraform") instanceof Value.Mapping terraform)) {
            return null;
        }
        if (terraform.fields().containsKey("cloud")) {
            return new Backend("cloud", new LinkedHashMap<>(), false);
        }
        if (!(terraform.fields().get("backend") instanceof Value.Mapping backend)
                || backend.fields().isEmpty()) {
            return null;
        }
        var entry = backend.fields().firstEntry();
        var attributes = new LinkedHashMap<String, String>();
        var isSimple = entry.getValue() instanceof Value.Mapping;
        if (entry.getValue() instanceof Value.Mapping(_, var fields)) {
            for (var field : fields.entrySet()) {
                switch (field.getValue()) {
                    case Value.Text(_, var value) -> attributes.put(field.getKey(), value);
                    case Value.Numeral(_, var value) -> attributes.put(field.getKey(), value);
                    case Value.Flag(_, var value) ->
                            attributes.put(field.getKey(), Boolean.toString(value));
                    case Value.Nothing _, Value.Sequence _, Value.Mapping _ -> isSimple = false;
                }
            }
        }
        return new Backend(entry.getKey(), attributes, isSimple);
    }

    private List<Token> tokens() {
        var tokens = new ArrayList<Token>();
        while (at < text.length()) {
            var here = text.charAt(at);
            if (here == '#' || text.startsWith("//", at)) {
                at = end(text.indexOf('\n', at), 1);
            } else if (text.startsWith("/*", at)) {
                at = end(text.indexOf("*/", at), 2);
            } else if (here == '"') {
                at++;
                tokens.add(new Token(Sort.STRING, string()));
            } else if (text.startsWith("<<", at)) {
                tokens.add(new Token(Sort.STRING, heredoc()));
            } else if (isWordPart(here)) {
                var begin = at;
                while (at < text.length() && isWordPart(text.charAt(at))) {
                    at++;
                }
                tokens.add(new Token(Sort.WORD, text.substring(begin, at)));
            } else {
                if (!Character.isWhitespace(here)) {
                    tokens.add(new Token(Sort.PUNCTUATION, String.valueOf(here)));
                }
                at++;
            }
        }
        return tokens;
    }

    private int end(int found, int length) {
        return found < 0 ? text.length() : found + length;
    }

    private static boolean isWordPart(char here) {
        return Character.isLetterOrDigit(here) || here == '_' || here == '-' || here == '.';
    }

    /// From behind the first quote to behind the last.
    private String string() {
        var value = new StringBuilder();
        while (at < text.length()) {
            var here = text.charAt(at);
            if (here == '"') {
                at++;
                return value.toString();
            }
            if (here == '\\' && at + 1 < text.length()) {
                value.append(text.charAt(at + 1));
                at += 2;
            } else if (text.startsWith("${", at) || text.startsWith("%{", at)) {
                at += 2;
                template();
            } else {
                value.append(here);
                at++;
            }
        }
        return value.toString();
    }

    /// What stands in braces within a string, which may hold strings of its own.
    private void template() {
        var depth = 1;
        while (at < text.length() && depth > 0) {
            var here = text.charAt(at++);
            switch (here) {
                case '{' -> depth++;
                case '}' -> depth--;
                case '"' -> {
                    var _ = string();
                }
                default -> {
                    // Whatever it is, it ends no string.
                }
            }
        }
    }

    private String heredoc() {
        at += 2;
        if (at < text.length() && text.charAt(at) == '-') {
            at++;
        }
        var lineEnd = text.indexOf('\n', at);
        if (lineEnd < 0) {
            at = text.length();
            return "";
        }
        var word = text.substring(at, lineEnd).strip();
        var begin = lineEnd + 1;
        at = begin;
        while (at < text.length()) {
            var next = text.indexOf('\n', at);
            var line = text.substring(at, next < 0 ? text.length() : next);
            var lineBegin = at;
            at = next < 0 ? text.length() : next + 1;
            if (line.strip().equals(word)) {
                return text.substring(begin, lineBegin);
            }
        }
        return text.substring(begin);
    }
}
