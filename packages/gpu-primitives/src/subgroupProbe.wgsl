// Does what the subgroup kernels rely on, once, so that the host can look: one workgroup writes for every invocation its
// subgroup, its lane, the subgroup's size, a ballot, and what another lane hands it.

enable subgroups;

struct Seen {
  team: u32,
  teamLane: u32,
  teamSize: u32,
  teams: u32,
  // Of the lanes with an even number of the invocation.
  votes: vec4u,
  // The invocation's number as the subgroup's last lane has it.
  lastOfTeam: u32,
}

@group(0) @binding(0) var<storage, read_write> seen: array<Seen>;

@compute @workgroup_size(256)
fn probe(
  @builtin(local_invocation_index) lane: u32,
  @builtin(subgroup_id) team: u32,
  @builtin(num_subgroups) teams: u32,
  @builtin(subgroup_size) teamSize: u32,
  @builtin(subgroup_invocation_id) teamLane: u32
) {
  let votes = subgroupBallot((lane & 1u) == 0u);
  let last = subgroupShuffle(lane, teamSize - 1u);
  seen[lane] = Seen(team, teamLane, teamSize, teams, votes, last);
}
