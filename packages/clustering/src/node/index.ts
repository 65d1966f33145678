export {makeFolder} from './makeFolder.ts';
export {refusedByNode, refusedAccess} from './permission.ts';
export {ensureFile, ensurePrivateFolder, privateFolder, type PrivateFolderOptions} from './privateFolder.ts';
