export {CodegenError} from './codegenError.ts';
export {makeCurrent} from './current.ts';
export {writeModules, type Difference} from './generate.ts';
export {isCurrent} from './stamp.ts';
