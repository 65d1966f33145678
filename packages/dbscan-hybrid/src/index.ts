export {createHybridDbscan, type HybridOptions} from './hybridDbscan.ts';
