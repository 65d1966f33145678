// The parts of a command, for packages that add commands to the program. Loads no command.
export {forcedAdapter} from './adapterForced.ts';
export {FailureError, UsageError} from './errors.ts';
export {escapeHtml} from './escape.ts';
export {gpuCount} from './flags.ts';
export {abortOnInterrupt} from './interrupt.ts';
export {main} from './main.ts';
export {choice, integerFrom, outputFolder, positiveInteger, positiveNumber} from './options.ts';
export {createProgressBar, formatSpan} from './cluster/progressBar.ts';
export {createProgram, type ProgramAddition} from './program.ts';
export {gpuPlaces} from './scaleOut/gpuPlaces.ts';
export {formatCount, formatFactor, formatMs, formatPercent, formatTable} from './text.ts';
