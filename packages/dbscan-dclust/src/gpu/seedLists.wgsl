// The lists of all chains, one part of the buffer after the other:
// - seed lists, `seedLength` words per chain;
// - seeds that wait for the exact kernel, SEEDS words per chain;
// - chains without seeds, and chains with seeds to spare, as newSeeds.wgsl lists them: `chains` words each;
// - meetings, `meetingLength` pairs of words per chain;
// - neighbours in quarantine that do not fit into workgroup memory, `spillLength` pairs of words per chain.
//
// Takes binding 12 of group 0.

import package::gpu::run::{SEEDS, run};

@group(0) @binding(12) var<storage, read_write> lists: array<u32>;

fn seedPlace(chain: u32, k: u32) -> u32 {
  return chain * run.seedLength + k;
}

fn redoPlace(chain: u32, k: u32) -> u32 {
  return run.chains * run.seedLength + chain * SEEDS + k;
}

fn idlePlace(k: u32) -> u32 {
  return run.chains * (run.seedLength + SEEDS) + k;
}

fn donorPlace(k: u32) -> u32 {
  return run.chains * (run.seedLength + SEEDS + 1u) + k;
}

fn meetingPlace(chain: u32, k: u32) -> u32 {
  return run.chains * (run.seedLength + SEEDS + 2u) + 2u * (chain * run.meetingLength + k);
}

fn spillPlace(chain: u32, k: u32) -> u32 {
  return run.chains * (run.seedLength + SEEDS + 2u + 2u * run.meetingLength) + 2u * (chain * run.spillLength + k);
}
