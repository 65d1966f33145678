/// <reference lib="esnext.disposable" preserve="true" />
export {
  checkRunNames,
  DBSCAN_PHASES,
  emptyResult,
  NOISE,
  validateDbscanParams,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type DbscanStats,
} from './dbscan.ts';
export {deliver, extendResult, validateOutput, type DbscanOutputOptions} from './dbscanOutput.ts';
export {DistinctPositions} from './distinctPositions.ts';
export {
  DestroyedError,
  EpsballError,
  GpuDeviceLostError,
  GpuLimitError,
  GpuUnavailableError,
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
  WorkerFailedError,
  WorkersUnavailableError,
  type ErrorCode,
} from './errors.ts';
export {
  keepPoints,
  toPoints,
  type ArrowLike,
  type Axis,
  type Columns,
  type GeoJsonLike,
  type PointsInput,
} from './input/toPoints.ts';
export {
  chooseColumns,
  meaningOfName,
  type ChosenColumns,
  type LeftColumn,
  type OpenColumns,
} from './input/chooseColumns.ts';
export {filled, indicesBelow} from './filled.ts';
export {geoJsonPositions} from './input/geojson.ts';
export {isArrayLike} from './input/values.ts';
export {checkInteger, checkKnownOptions, checkRow} from './knownOptions.ts';
export {powersToOne} from './metric/cosine.ts';
export {
  ANGLES,
  EARTH_RADIUS,
  EPS_UNITS,
  METRES,
  METRES_PER_DEGREE,
  type Angles,
  type EpsUnit,
} from './metric/haversine.ts';
export {findCoordinates, orderOfCoordinates, orderOnSphere, type PlaceOrder} from './metric/placeNames.ts';
export {METRICS, VARIANT_METRICS, type Metric, type VariantMetric} from './metric/metric.ts';
export {
  METRIC_OPTIONS,
  metricDistance,
  metricPoints,
  metricRadius,
  type MetricOptions,
  type MetricRadius,
  type NamedPoints,
} from './metric/metricPoints.ts';
export {smallestEps} from './metric/smallestEps.ts';
export {keptIndex, KeptPoints} from './keptPoints.ts';
export {
  checkMissing,
  MISSING_RULES,
  scatterRows,
  takeComplete,
  takeCompleteGroups,
  type CompletePoints,
  type MissingOptions,
  type MissingRows,
  type MissingRule,
} from './missing.ts';
export {nearestName} from './nearestName.ts';
export {comparedDistance, isNeighbor, limitOf, squaredDistance, squaredEps, type Radius} from './neighborhood.ts';
export {checkTimeParams, pointsInTime, TIME_PARAMS} from './pointsInTime.ts';
export {pointCount, pointsAt, validatePoints, validatePointShape, type PointSet} from './points.ts';
export {
  PhaseClock,
  throwIfAborted,
  type Progress,
  type ProgressListener,
  type RunOptions,
  type RunStats,
} from './progress.ts';
export {partOfPhases, ProgressMeter, reportParts, type PartListener} from './progressMeter.ts';
export {RunPacer} from './runPacer.ts';
export {RunQueue} from './runQueue.ts';
export {checkNeighborLists, type CheckedLists, type NeighborLists} from './neighborLists.ts';
export {untilDestroyed} from './untilDestroyed.ts';
export {validateDim, validateFeatures, validateRun, type VariantLimits} from './validateRun.ts';
export {collapseDuplicates, firstOfGroups, type CollapsedPoints} from './weights/collapseDuplicates.ts';
export {
  integerWeights,
  kindOfWeights,
  NOT_INT32,
  type IntegerWeights,
  type WeightKind,
} from './weights/integerWeights.ts';
export {WeightSum} from './weights/weightSum.ts';
export {grainOfWeights, haveExactSums, toWeights, type WeightGrain} from './weights/weights.ts';
