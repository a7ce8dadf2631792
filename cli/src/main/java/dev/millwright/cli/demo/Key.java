package dev.millwright.cli.demo;

import org.jspecify.annotations.Nullable;

/// The keys that the view in the terminal knows.
enum Key {
    QUIT,
    PAUSE,
    HELP,
    LEGEND,
    ORDER,
    UP,
    DOWN,
    SLOWER,
    FASTER;

    /// Makes keys of the bytes that a terminal sends: one for a letter, three for an arrow.
    static final class Reader {

        private static final int ESCAPE = 0x1b;

        private int before;
        private boolean isArrow;

        /// @return null where no key ends with this byte
        @Nullable Key key(int next) {
            var wasArrow = isArrow;
            isArrow = before == ESCAPE && (next == '[' || next == 'O');
            before = next;
            if (isArrow) {
                return null;
            }
            return wasArrow ? arrow(next) : letter(next);
        }

        private static @Nullable Key arrow(int last) {
            return switch (last) {
                case 'A' -> UP;
                case 'B' -> DOWN;
                case 'C' -> FASTER;
                case 'D' -> SLOWER;
                default -> null;
            };
        }

        private static @Nullable Key letter(int letter) {
            return switch (letter) {
                case 'q', 'Q' -> QUIT;
                case ' ' -> PAUSE;
                case '?', 'h' -> HELP;
                case 'l', 'L' -> LEGEND;
                case 's', 'S' -> ORDER;
                case 'k' -> UP;
                case 'j' -> DOWN;
                case '+' -> FASTER;
                case '-' -> SLOWER;
                default -> null;
            };
        }
    }
}
