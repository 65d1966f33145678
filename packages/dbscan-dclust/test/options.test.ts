import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {settleOptions} from '../src/options.ts';

describe('settleOptions', () => {
  it('fills in the defaults of the paper', () => {
    expect(settleOptions({}, 77)).toMatchObject({
      index: 'directory',
      chains: 77,
      seedLength: 1024,
      levels: 3,
      pca: false,
    });
  });

  it.for([
    {options: {chains: 0}, message: 'chains = 0; expected an integer, 1 … 4096'},
    {options: {chains: 4097}, message: 'chains = 4097; expected an integer, 1 … 4096'},
    {options: {seedLength: 1.5}, message: 'seedLength = 1.5; expected an integer, 1 … 1048576'},
    {options: {levels: 5}, message: 'levels = 5; expected an integer, 1 … 4'},
    {options: {fanout: 1}, message: 'fanout = 1; expected an integer, 2 … 1048576'},
    {options: {quarantineBytes: -1}, message: 'quarantineBytes = -1; expected an integer, 0 … 9007199254740991'},
    {options: {index: 'none', pca: true}, message: 'pca = true; expected false without a directory'},
  ] as const)('rejects $options', ({options, message}) => {
    expect(() => settleOptions(options, 1)).toThrow(InvalidParameterError);
    expect(() => settleOptions(options, 1)).toThrow(message);
  });

  it('rejects an unknown index', () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a caller without types may pass
    expect(() => settleOptions({index: 'grid' as 'none'}, 1)).toThrow('index = "grid"; expected directory or none');
  });
});
