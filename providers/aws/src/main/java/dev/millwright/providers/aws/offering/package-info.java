/// Has one job: how a type can be bought right now: in which zone, at what price, and whether it
/// can be had at all. It joins types, prices and what EC2 lately refused to the catalogue of a
/// class.
@NullMarked
package dev.millwright.providers.aws.offering;

import org.jspecify.annotations.NullMarked;
