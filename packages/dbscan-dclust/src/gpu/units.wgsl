// Where chains start: units of `freshLength` adjacent positions, taken in turn from one stratum per chain.

import package::gpu::run::run;

fn unitCount() -> u32 {
  let units = (run.n + run.freshLength - 1u) / run.freshLength;
  return (units + run.chains - 1u) / run.chains * run.chains;
}

// First position of a unit; may be n or more for the last units.
fn firstOfUnit(unit: u32) -> u32 {
  return ((unit % run.chains) * (unitCount() / run.chains) + unit / run.chains) * run.freshLength;
}
