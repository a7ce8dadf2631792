package dev.millwright.spi.ec2;

/// A catalogue file that does not hold what it must. The message names file, line, column, the
/// found text and the wanted one; the way out is always to make the file again.
public final class CatalogueFormatException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    CatalogueFormatException(CsvTable.Source source, int line, String fault) {
        super(
                "%s line %d, %s; make the file again with %s"
                        .formatted(source.file(), line, fault, source.tool()));
    }
}
