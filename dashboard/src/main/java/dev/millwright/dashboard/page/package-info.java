/// Has one job: pictures as a web page, what a visitor asks as answers, and what a visitor of a
/// demo wants as actions. It imports `core`, `ledger`, `picture` and the JDK's web server.
@NullMarked
package dev.millwright.dashboard.page;

import org.jspecify.annotations.NullMarked;
