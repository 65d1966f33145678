import * as choices from '@epsball/clustering/catalogue';
import {catalogue} from '../src/catalogue.ts';
import type {CatalogueRow} from '../src/catalogueRow.ts';
import {backendOrder, type RunSize} from '../src/predict.ts';

export {catalogue};

/** `validateRequest` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function validateRequest(request: choices.VariantRequest): void {
  choices.validateRequest(catalogue, request);
}

/** `rankChoices` of `@epsball/clustering/catalogue` for the variants of DBSCAN. */
export function rankChoices(
  request: choices.VariantRequest,
  size: RunSize,
  gpuRequested: boolean,
): readonly choices.Choice<CatalogueRow>[] {
  const {n, dim} = size;
  return choices.rankChoices(catalogue, request, {n, dim, gpuRequested, order: backendOrder(size)});
}
