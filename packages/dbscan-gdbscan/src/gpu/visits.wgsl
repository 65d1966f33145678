// Visit of each point, one word by position (the paper's Xa): not core, unvisited, or the search that reached it. A
// search is identified by the position of the core point where it started. Takes binding 12 of group 0.

const UNVISITED: u32 = 0xffffffffu;
const NOT_CORE: u32 = 0xfffffffeu;

@group(0) @binding(12) var<storage, read_write> visits: array<atomic<u32>>;
