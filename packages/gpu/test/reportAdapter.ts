// Runs in a separate process for adapters.test.ts: opens a device and prints its adapter.
import {openGpu} from '@epsball/gpu';

const gpu = await openGpu();
const {kind, description} = gpu.info;
process.stdout.write(JSON.stringify({kind, description}));
gpu.destroy();
