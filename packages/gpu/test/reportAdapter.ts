// A process of its own for adapters.test.ts: opens a device and prints what it runs on.
import {openGpu} from '@epsball/gpu';

const gpu = await openGpu();
const {kind, description} = gpu.info;
process.stdout.write(JSON.stringify({kind, description}));
gpu.destroy();
