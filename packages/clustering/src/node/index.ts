export {makeFolder} from './makeFolder.ts';
export {ensureFile, ensurePrivateFolder, privateFolder, type PrivateFolderOptions} from './privateFolder.ts';
