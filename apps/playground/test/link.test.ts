import {describe, expect, it} from 'vitest';
import {DEFAULT_LINK, formatLink, METHODS, parseLink, VIEWS, type LinkState} from '../src/state/link.ts';

const state: LinkState = {
  view: 'explore',
  data: 'gaussians:n=20000,dim=3,seed=7',
  eps: 0.0173,
  method: 'dbscan',
  minPts: 12,
  minClusterSize: 30,
  minSamples: 4,
  selection: 'leaf',
  bandwidth: 0.7,
  metric: 'euclidean',
  algorithm: 'dense-grid',
  backend: 'gpu',
  design: 'dclust',
  set: 'circles',
  step: 17,
  stageEps: 0.31,
  stageMinPts: 7,
};

describe('a link', () => {
  it('keeps data set, variant and parameters', () => {
    const {state: parsed, rejected} = parseLink(formatLink(state));
    expect(rejected).toEqual([]);
    const {data, eps, minPts, algorithm, backend} = state;
    expect(parsed).toMatchObject({view: 'explore', data, eps, minPts, algorithm, backend});
    expect(formatLink(state)).toBe(
      '#/explore?data=gaussians:n=20000,dim=3,seed=7&eps=0.0173&minPts=12&algorithm=dense-grid&backend=gpu',
    );
  });

  it('keeps design, points, parameters and step of an animation', () => {
    const {design, set, step, stageEps, stageMinPts} = state;
    const {state: parsed} = parseLink(formatLink({...state, view: 'designs'}));
    expect(parsed).toMatchObject({view: 'designs', design, set, step, stageEps, stageMinPts});
  });

  it('ends at its view if that has no parameters', () => {
    expect(formatLink({...state, view: 'stream'})).toBe('#/stream');
  });

  it('keeps the parameters of its method', () => {
    for (const method of METHODS) {
      const {state: parsed, rejected} = parseLink(formatLink({...state, method}));
      expect(rejected).toEqual([]);
      expect(parsed.method).toBe(method);
      if (method === 'hdbscan') expect(parsed).toMatchObject({minClusterSize: 30, minSamples: 4, selection: 'leaf'});
      if (method === 'mean-shift') expect(parsed.bandwidth).toBe(0.7);
    }
    expect(parseLink('#/explore?method=optics&minClusterSize=1').rejected.sort()).toEqual(['method', 'minClusterSize']);
  });

  it('keeps a metric beside the default', () => {
    expect(formatLink({...state, metric: 'haversine'})).toContain('&minPts=12&metric=haversine&');
    expect(parseLink('#/explore?metric=cosine').state.metric).toBe('cosine');
    expect(parseLink('#/explore?metric=hamming').rejected).toEqual(['metric']);
  });

  it('keeps the name of a file, whatever its characters', () => {
    const data = 'file:a b&c=d#e%20ü.csv';
    for (const view of ['explore', 'compare'] as const) {
      expect(parseLink(formatLink({...state, view, data})).state.data).toBe(data);
    }
  });

  it('returns to the same text from each view', () => {
    for (const view of VIEWS) {
      const text = formatLink({...state, view});
      expect(formatLink(parseLink(text).state)).toBe(text);
    }
  });

  it('rejects values that are not allowed, names their keys, and takes the others', () => {
    const {state: parsed, rejected} = parseLink('#/explore?eps=-1&minPts=2.5&backend=cuda&data=&algorithm=pds');
    expect(rejected.sort()).toEqual(['backend', 'data', 'eps', 'minPts']);
    expect(parsed).toEqual({...DEFAULT_LINK, algorithm: 'pds'});
  });

  it('without a view or with an unknown one is the first page', () => {
    expect(parseLink('').state).toEqual(DEFAULT_LINK);
    expect(parseLink('#/nowhere?eps=2').state).toEqual({...DEFAULT_LINK, eps: 2});
  });
});
