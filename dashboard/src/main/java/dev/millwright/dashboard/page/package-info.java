/// Has one job: pictures as a web page on this machine, and what a visitor asks for as actions. It
/// imports `picture` and the JDK's web server.
@NullMarked
package dev.millwright.dashboard.page;

import org.jspecify.annotations.NullMarked;
