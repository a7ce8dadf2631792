package dev.millwright.dashboard.terminal;

import dev.millwright.dashboard.picture.Picture.Node;

import java.util.Comparator;
import java.util.List;

/// What the person at the terminal chose to see: the order of nodes, how far they are scrolled, and
/// whether keys and letters are explained.
///
/// @param rowsSkipped rows of nodes above the first one shown; counts only where not all fit
/// @param hasKeys whether keys are read, so that a line at the bottom names them
public record ViewState(
        Order order, int rowsSkipped, boolean isHelpShown, boolean isLegendShown, boolean hasKeys) {

    /// Without keys: a picture in a document, or a terminal that cannot be asked.
    public static final ViewState STILL = new ViewState(Order.AGE, 0, false, false, false);

    /// Before any key was pressed.
    public static final ViewState FIRST = new ViewState(Order.AGE, 0, false, false, true);

    private static final int ROWS_SKIPPED_MAX = 10_000;

    public ViewState {
        rowsSkipped = Math.clamp(rowsSkipped, 0, ROWS_SKIPPED_MAX);
    }

    /// How nodes are ordered. Nodes that are equal keep the order in which they came.
    public enum Order {
        AGE("age", Comparator.comparingInt(_ -> 0)),
        PRICE("price", Comparator.<Node>comparingDouble(node -> -node.machine().pricePerHour())),
        FILL("fill", Comparator.comparingDouble(Node::fill)),
        TYPE("type", Comparator.comparing(node -> node.machine().type())),
        ZONE("zone", Comparator.comparing(node -> node.machine().zone()));

        private final String word;
        private final Comparator<Node> comparator;

        Order(String word, Comparator<Node> comparator) {
            this.word = word;
            this.comparator = comparator;
        }

        String word() {
            return word;
        }

        List<Node> sorted(List<Node> nodes) {
            return nodes.stream().sorted(comparator).toList();
        }

        Order next() {
            return switch (this) {
                case AGE -> PRICE;
                case PRICE -> FILL;
                case FILL -> TYPE;
                case TYPE -> ZONE;
                case ZONE -> AGE;
            };
        }
    }

    public ViewState withNextOrder() {
        return new ViewState(order.next(), 0, isHelpShown, isLegendShown, hasKeys);
    }

    /// @param rows downwards; less than zero is up
    public ViewState scrolled(int rows) {
        return new ViewState(order, rowsSkipped + rows, isHelpShown, isLegendShown, hasKeys);
    }

    public ViewState withHelpToggled() {
        return new ViewState(order, rowsSkipped, !isHelpShown, isLegendShown, hasKeys);
    }

    public ViewState withLegendToggled() {
        return new ViewState(order, rowsSkipped, isHelpShown, !isLegendShown, hasKeys);
    }
}
