export {createGridBfsSequential} from './sequential.ts';
