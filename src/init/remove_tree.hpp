#pragma once

namespace prx::init {

/// Removes what `name` in a directory is, with all that is below it, whatever that is: no link is followed, and
/// what lies deeper than descriptors reach is brought up first. What may not be removed stays.
void remove_tree(int parent, const char* name);

}  // namespace prx::init
