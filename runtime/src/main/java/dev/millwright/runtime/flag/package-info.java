/// The flags of a process: what the command line offers and what the reader of settings reads.
@NullMarked
package dev.millwright.runtime.flag;

import org.jspecify.annotations.NullMarked;
