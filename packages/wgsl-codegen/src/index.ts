export {CodegenError} from './codegenError.ts';
export {isCurrent, makeCurrent} from './current.ts';
export {writeModules, type Difference} from './generate.ts';
