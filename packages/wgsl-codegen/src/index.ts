export {CodegenError} from './codegenError.ts';
export {makeCurrent, writeModules, type Difference} from './generate.ts';
export {isCurrent} from './stamp.ts';
