// Where chains start: units of `freshLength` adjacent positions, taken from the strata in turn.

import package::gpu::run::run;

fn unitCount() -> u32 {
  let units = (run.n + run.freshLength - 1u) / run.freshLength;
  return (units + run.strata - 1u) / run.strata * run.strata;
}

// First position of a unit; may be n or more for the last units.
fn firstOfUnit(unit: u32) -> u32 {
  return ((unit % run.strata) * (unitCount() / run.strata) + unit / run.strata) * run.freshLength;
}
