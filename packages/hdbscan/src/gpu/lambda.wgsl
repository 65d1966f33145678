// λ of a squared distance, as `lambdaOf` of hierarchy/condense.ts.

import gpu_primitives::float64Roots::{divide64, root64};

const ONE: vec2u = vec2u(0u, 0x3ff00000u);
const INFINITE: vec2u = vec2u(0u, 0x7ff00000u);

fn lambdaOf(squared: vec2u) -> vec2u {
  return divide64(ONE, root64(squared));
}
