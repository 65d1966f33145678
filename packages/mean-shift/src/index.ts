export {
  MEAN_SHIFT_PHASES,
  type MeanShiftAlgorithm,
  type MeanShiftParams,
  type MeanShiftPhase,
  type MeanShiftResult,
  type MeanShiftStats,
  type ShiftAlgorithm,
  type ShiftOptions,
  type ShiftParams,
  type ShiftResult,
} from './meanShift.ts';
export {createShiftSequential} from './shiftSequential.ts';
