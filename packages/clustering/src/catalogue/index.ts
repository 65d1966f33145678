export {
  byPreference,
  rankChoices,
  refusedByWeights,
  takes,
  unsupportedDimension,
  validateRequest,
  type Choice,
  type ChoiceInput,
  type RankedRow,
  type RunNeeds,
  type VariantRequest,
} from './chooseVariant.ts';
export {afterPoints, FrontDoor} from './frontDoor.ts';
export {runGroups, type GroupRuns, type PointGroup} from './groups.ts';
export {InstanceCache} from './instanceCache.ts';
export {oneShots} from './oneShots.ts';
export {
  describeAllowed,
  describeOptions,
  resolveOptions,
  type OptionDeclarations,
  type OptionRule,
  type OptionValue,
  type VariantOption,
  type VariantOptionValues,
} from './variantOptions.ts';
export {
  BACKENDS,
  defineBackend,
  defineVariant,
  requiredGpu,
  type Backend,
  type BackendDeclaration,
  type BackendEntry,
  type VariantCreateOptions,
  type VariantDescription,
  type VariantRow,
} from './variantRow.ts';
export {VariantRunner} from './variantRunner.ts';
export {
  RUNNER_OPTIONS,
  runnerOptionsOf,
  type Fallback,
  type RunnerOptions,
  type VariantRan,
  type VariantRun,
  type VariantRunnerParts,
} from './variantRun.ts';
