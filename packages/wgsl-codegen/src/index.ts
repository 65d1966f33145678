export {CodegenError} from './codegenError.ts';
export {findDifferences, writeModules, type Difference} from './generate.ts';
