package dev.millwright.providers.sim;

/// A catalogue file that does not hold what it must. The message names file, line, column, the
/// found text and the wanted one; the way out is always to make the file again.
public final class CatalogueFormatException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    CatalogueFormatException(String file, int line, String fault) {
        super(
                "%s line %d, %s; make the file again with providers/sim/tools/catalogue.py"
                        .formatted(file, line, fault));
    }
}
