export {makeFolder} from './makeFolder.ts';
export {refusedByNode, refusedAccess} from './permission.ts';
export {EXTENSION, SOURCE_OPTIONS} from './sourceOptions.ts';
export {ensureFile, ensurePrivateFolder, privateFolder} from './privateFolder.ts';
