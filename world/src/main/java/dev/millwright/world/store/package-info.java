/// What an API server remembers and how it answers, in one process, without a thread or a clock of
/// its own.
///
/// It keeps versions, names, generations, subresources, finalizers, graces, budgets and history as
/// the real server does; one suite is run against both. It admits what a schema would refuse:
/// validation and CEL are the real server's to prove. May import `kube`, `world.kind`, `world.time`
/// and `world.chance`.
@NullMarked
package dev.millwright.world.store;

import org.jspecify.annotations.NullMarked;
