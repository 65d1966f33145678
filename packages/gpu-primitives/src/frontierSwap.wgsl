// Swaps a frontier queue between two indirect dispatches.

import package::frontier::{frontier, requestGroups, swapFrontier};

override ITEMS_PER_GROUP: u32 = 256u;

@compute @workgroup_size(1)
fn swapAndRequest() {
  swapFrontier();
  requestGroups((frontier.length + ITEMS_PER_GROUP - 1u) / ITEMS_PER_GROUP);
}
