package dev.millwright.kube.record;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// Reads a record from its first decision to its last: a file, or a folder of files one after
/// another.
///
/// Only the file that is being read is open. Damage is an entry, after which the next file follows.
public final class RecordReader implements Iterator<RecordEntry>, AutoCloseable {

    private final List<Path> files;
    private final RecordHead head;
    private int opened;
    private int decisions;
    private @Nullable RecordFileReader file;
    private @Nullable RecordEntry next;

    private RecordReader(List<Path> files) throws IOException {
        this.files = files;
        var first = RecordFileReader.open(files.getFirst());
        this.file = first;
        this.opened = 1;
        this.head = first.who();
        advance();
    }

    /// @param path a file, or a folder that a recorder wrote to
    /// @throws RecordException when there is no record; its message is for a person
    public static RecordReader open(Path path) throws IOException {
        return new RecordReader(files(path));
    }

    private static List<Path> files(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            if (!Files.isReadable(path)) {
                throw new RecordException(
                        "%s: there is no such file, or it cannot be read; wanted a record, or a folder of them"
                                .formatted(path));
            }
            return List.of(path);
        }
        var files = RecordFolder.files(path);
        if (files.isEmpty()) {
            throw new RecordException(
                    "%s: found no record in this folder; wanted files ending in %s"
                            .formatted(path, RecordFormat.SUFFIX));
        }
        return files;
    }

    /// Who wrote the first file.
    public RecordHead head() {
        return head;
    }

    public Collection<Path> files() {
        return files;
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public RecordEntry next() {
        var entry = next;
        if (entry == null) {
            throw new NoSuchElementException("the record has ended");
        }
        advance();
        return entry;
    }

    private void advance() {
        next = null;
        while (next == null && file != null) {
            next = entry(file);
            if (next == null) {
                file = following(file);
            }
        }
    }

    private @Nullable RecordEntry entry(RecordFileReader reader) {
        try {
            var entry = reader.next(decisions);
            if (entry instanceof RecordEntry.Decided) {
                decisions++;
            }
            return entry;
        } catch (IOException unreadable) {
            return broken(files.get(opened - 1), unreadable);
        }
    }

    /// A file that cannot be opened is told of like one that is damaged.
    private @Nullable RecordFileReader following(RecordFileReader done) {
        try {
            done.close();
            while (opened < files.size()) {
                opened++;
                return RecordFileReader.open(files.get(opened - 1));
            }
        } catch (IOException unreadable) {
            next = broken(files.get(opened - 1), unreadable);
            return done;
        }
        return null;
    }

    private static RecordEntry broken(Path file, IOException unreadable) {
        return new RecordEntry.Damaged(file, 0, String.valueOf(unreadable.getMessage()));
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
