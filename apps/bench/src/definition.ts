/** Labels are compared with the O(n²) definition up to this many points: it looks at all pairs, for up to a second. */
export const DEFINITION_LIMIT = 4000;
