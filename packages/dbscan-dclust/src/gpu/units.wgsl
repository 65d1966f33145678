// Where chains begin: units of `freshLength` adjacent positions, in an order that takes one unit of each stratum in turn.

import package::gpu::run::run;

fn unitCount() -> u32 {
  let units = (run.n + run.freshLength - 1u) / run.freshLength;
  return (units + run.strata - 1u) / run.strata * run.strata;
}

// First position of a unit; n or more for some of the last ones.
fn firstOfUnit(unit: u32) -> u32 {
  return ((unit % run.strata) * (unitCount() / run.strata) + unit / run.strata) * run.freshLength;
}
