export {ensureFile, ensurePrivateFolder, privateFolder, type PrivateFolderOptions} from './privateFolder.ts';
