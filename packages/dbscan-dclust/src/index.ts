export {DCLUST_INDEXES, type DclustIndex, type DclustOptions} from './options.ts';
