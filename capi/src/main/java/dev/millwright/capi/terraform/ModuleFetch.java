package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.terraform.Commands.Shown;
import dev.millwright.capi.workspace.TerraformRuns.Phase;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonReader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// Fetches a module by Terraform itself, which knows every kind of address. What is there already
/// is left alone when it is the same.
final class ModuleFetch {

    private static final Shown FETCH = new Shown(Phase.INIT, "get", false);
    private static final String NAME = "module";

    private final Commands commands;
    private final RunFolder folder;

    ModuleFetch(Commands commands, RunFolder folder) {
        this.commands = commands;
        this.folder = folder;
    }

    void fetch(String address) throws IOException, InterruptedException {
        folder.host().delete(folder.fetch());
        folder.host().makeFolder(folder.fetch());
        folder.host()
                .write(
                        folder.fetch().resolve("main.tf"),
                        "module \"%s\" {\n  source = \"%s\"\n}\n"
                                .formatted(NAME, quoted(address))
                                .getBytes(UTF_8));
        var data = folder.fetch().resolve(".data");
        commands.set("TF_DATA_DIR", data.toString());
        try {
            var told = commands.run(FETCH, folder.fetch(), List.of("get", "-no-color"), () -> {});
            if (!told.isGood()) {
                throw commands.failed(FETCH, told);
            }
        } finally {
            commands.set("TF_DATA_DIR", folder.data().toString());
        }
        take(fetched(data));
    }

    private Path fetched(Path data) throws IOException {
        var list =
                Field.root(
                        "modules",
                        JsonReader.object(
                                folder.read(data.resolve("modules").resolve("modules.json"))),
                        new Faults());
        for (var module : list.at("Modules").elements()) {
            if (module.at("Key").text("").equals(NAME)) {
                return folder.fetch().resolve(module.at("Dir").text(""));
            }
        }
        throw commands.failed(FETCH, "the module was not fetched");
    }

    /// Replaces what we work on only when it is another: Terraform's lock file lies beside it.
    private void take(Path from) throws IOException {
        var host = folder.host();
        var mark = folder.path().resolve("fetched");
        var checksum = host.checksum(from, Set.of(), "");
        if (!folder.text(mark).equals(checksum) || !host.isFolder(folder.work())) {
            host.delete(mark);
            host.delete(folder.work());
            host.copy(from, folder.work());
            host.write(mark, checksum.getBytes(UTF_8));
        }
        folder.host().delete(folder.fetch());
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("${", "$${")
                .replace("%{", "%%{");
    }
}
